//! The server as clients find it, on a real port.

#[cfg(test)]
mod access;
#[cfg(test)]
mod client;
#[cfg(test)]
#[path = "../../../store/tests/it/support/cluster.rs"]
mod cluster;
#[cfg(test)]
mod debates;
#[cfg(test)]
mod events;
#[cfg(test)]
mod http;
#[cfg(test)]
mod models;
#[cfg(test)]
mod site;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod takeover;
