//! `rebuttal serve` over a panel's folder.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::debate::server::Panel;

/// A server that ends with the test, however the test ends.
pub(super) struct Served {
    child: Child,
    address: String,
}

impl Served {
    pub(super) fn start(panel: &Panel) -> Self {
        let mut command = panel.command("serve --port 0");
        let mut child = command.stderr(Stdio::piped()).spawn().expect("starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        let address = loop {
            let mut said = String::new();
            assert!(stderr.read_line(&mut said).expect("a line") > 0, "it ended");
            if let Some((_, rest)) = said.split_once("http://") {
                break rest.split(['/', ';']).next().unwrap_or_default().to_owned();
            }
        };
        // What it says further is read, so that it never waits for a reader.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Self { child, address }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A request as a program sends it: the status and the body.
    pub(super) fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("listens");
        let host = &self.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("takes it");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answers");
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        (status, body.to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
