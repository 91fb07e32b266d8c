//! `rebuttal serve`, as a program on this machine finds it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::run::rebuttal;

/// A server that ends with the test, however the test ends.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}

#[test]
fn it_answers_on_this_machine_and_ends_when_told() {
    for signal in ["-INT", "-TERM"] {
        answers_and_ends(signal);
    }
}

fn answers_and_ends(signal: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = rebuttal();
    command.args(["serve", "--port", "0", "--db"]).arg(folder.path().join("ledger.db"));
    let mut served = Served(command.stderr(Stdio::piped()).spawn().expect("starts"));
    let mut said = String::new();
    let stderr = served.0.stderr.take().expect("piped");
    BufReader::new(stderr).read_line(&mut said).expect("says where it is");
    let address = said.strip_prefix("http://").and_then(|rest| rest.split('/').next());
    let address = address.unwrap_or_else(|| panic!("no address in {said:?}"));
    for path in ["/health", "/api/debates", "/api/breakpoints"] {
        let mut stream = TcpStream::connect(address).expect("listens");
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("takes it");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answers");
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    }
    let told = Command::new("kill").args([signal, &served.0.id().to_string()]).status();
    assert!(told.expect("kill is there").success());
    assert!(served.0.wait().expect("ends").success(), "{signal} is no failure");
}
