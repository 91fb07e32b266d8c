//! The `rebuttal` program: arguments → what will be done → output.

mod output;
mod terminal;

fn main() {}
