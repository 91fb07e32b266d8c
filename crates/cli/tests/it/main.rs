//! The real program, run as a user runs it.

mod audit;
mod formats;
mod help;
mod hostile;
mod rubric;
mod run;
mod shapes;
