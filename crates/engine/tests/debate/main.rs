//! Debates run by the real engine with scripted agents: protocol, faults, restarts, replay.

mod flow;
mod panel;
mod restart;
mod simulation;
