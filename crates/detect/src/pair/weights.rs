//! What each witness is worth, in log odds. Written by `training/combine.py`; do not edit.

pub(super) const THERE: f32 = 0.5076;
pub(super) const BACK: f32 = 0.1523;
pub(super) const RULES: f32 = 0.4061;
pub(super) const OFFSET: f32 = 0.5020;
pub(super) const COUNTED_MODEL: f32 = 0.3000;
pub(super) const COUNTED_RULES: f32 = 1.5000;
