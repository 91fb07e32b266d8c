//! The server as clients find it, on a real port.

#[cfg(test)]
mod http;
#[cfg(test)]
mod site;
#[cfg(test)]
mod slow;
