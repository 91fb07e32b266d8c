//! What reading large files takes. A binary of its own: the peak is that of the whole process.

#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]

use std::io::{BufRead, BufReader, Read};

use rebuttal_transcripts::{Item, ReadOptions, read};

/// A text over and over again, without holding it.
struct Again {
    text: &'static [u8],
    left: usize,
    at: usize,
}

impl Read for Again {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut count = 0;
        while self.left > 0 && count < buffer.len() {
            let some = (&self.text[self.at..]).read(&mut buffer[count..])?;
            count += some;
            self.at += some;
            if self.at == self.text.len() {
                self.at = 0;
                self.left -= 1;
            }
        }
        Ok(count)
    }
}

/// The most memory this process ever took, in kilobytes, where the system tells.
fn peak_kb() -> Option<usize> {
    let status = BufReader::new(std::fs::File::open("/proc/self/status").ok()?);
    let line = status.lines().map_while(Result::ok).find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn many_small_turns_take_little_more_than_their_file() {
    let Some(before) = peak_kb() else {
        println!("skipped: this system does not tell how much memory a process took");
        return;
    };
    let files: [(&str, &'static [u8], usize); 4] = [
        ("", b"A: y\n", 200_000),
        ("", b"**A:** y\n\n", 100_000),
        ("agent,text\n", b"a,y\n", 100_000),
        ("", b"{\"agent\":\"a\",\"text\":\"y\"}\n", 100_000),
    ];
    for (head, text, left) in files {
        let mut turns = 0;
        let input = head.as_bytes().chain(Again { text, left, at: 0 });
        read("in", input, &ReadOptions::default(), &mut |item| match item {
            Item::Transcript(transcript) => turns += transcript.turns.len(),
            Item::Problem(_) => {}
        });
        assert_eq!(turns, left);
    }
    let took = peak_kb().unwrap() - before;
    // A transcript takes 8 MB and its vector grows by doubling; all turns at once took 80.
    assert!(took < 40_000, "{took} kB");
}
