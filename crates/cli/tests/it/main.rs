//! The real program, run as a user runs it.
//!
//! `cfg(test)` on the modules tells clippy that helpers in them are test code as well.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod beliefs;
#[cfg(test)]
mod browser;
#[cfg(test)]
mod complete;
#[cfg(test)]
mod config;
#[cfg(test)]
mod debate;
#[cfg(test)]
mod endless;
#[cfg(test)]
mod evidence;
#[cfg(test)]
mod first_minute;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod help;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod judge;
#[cfg(test)]
mod ledger;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod models;
#[cfg(test)]
mod onnx;
#[cfg(test)]
mod page;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod read;
#[cfg(test)]
mod reconcile;
#[cfg(test)]
mod rubric;
#[cfg(test)]
mod run;
#[cfg(test)]
mod serve;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod trust;
