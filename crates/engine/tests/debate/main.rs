//! Debates run by the real engine with scripted agents: protocol, faults, restarts, replay.

#[cfg(test)]
mod agents;
#[cfg(test)]
mod budget;
#[cfg(test)]
mod flow;
#[cfg(test)]
mod grounding;
#[cfg(test)]
mod handle;
#[cfg(test)]
mod hindsight;
#[cfg(test)]
mod journals;
#[cfg(test)]
mod panel;
#[cfg(test)]
mod pressing;
#[cfg(test)]
mod probes;
#[cfg(test)]
mod providers;
#[cfg(test)]
mod rebuttals;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod restart;
#[cfg(test)]
mod right;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod steering;
#[cfg(test)]
mod synthesis;
#[cfg(test)]
mod trickster;
