//! The server, asked over a real connection.

#[cfg(test)]
mod http;
