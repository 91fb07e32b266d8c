//! The journal, the position ledger and what is derived from them; the only SQL.
