//! Ports where nobody answers as they should.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

fn listen(rudeness: impl Fn(TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    // Ends with the test's process.
    thread::spawn(move || listener.incoming().flatten().for_each(rudeness));
    address
}

/// A port that nobody listens on.
pub(super) fn nobody() -> String {
    let address = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    format!("http://{}", address.expect("a port"))
}

/// A connection closed with words unread is reset.
pub(super) fn resets() -> String {
    let address = listen(|stream| {
        thread::sleep(Duration::from_millis(30));
        drop(stream);
    });
    format!("http://{address}")
}

/// Somebody who does not know TLS.
pub(super) fn plain() -> String {
    let address = listen(|mut stream| {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").ok();
        thread::sleep(Duration::from_millis(30));
    });
    format!("https://{address}")
}
