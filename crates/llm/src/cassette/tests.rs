//! What was recorded is played again, and nothing else.

use super::*;
use crate::chat::{Scene, Scripted};

/// A writer that a test can read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The words that were heard, and the reply or what is wrong with it.
type Heard = (Vec<String>, Result<Reply, String>);

fn stream(chat: &dyn Chat, request: &Request) -> Heard {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let heard = Mutex::new(Vec::new());
    let hear = |words: &str| lock(&heard).push(words.to_owned());
    let reply = runtime.block_on(chat.stream(request, &hear));
    (heard.into_inner().unwrap(), reply.map_err(|error| error.to_string()))
}

/// Two agents, three exchanges each, one of them a fault in the middle of the words.
fn recorded() -> (Vec<u8>, Vec<Heard>) {
    let tape = Shared::default();
    let cassette = Cassette::to(tape.clone());
    let script = |id: &str| {
        let scenes = [
            Scene::Says(format!("{id} says yes")),
            Scene::BreaksOff("half an ans".to_owned()),
            Scene::Says("no".to_owned()),
        ];
        Recorder::new(Scripted::new(id, scenes).counting(), &cassette)
    };
    let agents = [script("ann"), script("bob")];
    let mut results = Vec::new();
    for question in ["one?", "two?", "one?"] {
        results.extend(agents.iter().map(|agent| stream(agent, &Request::new(question))));
    }
    let bytes = lock(&tape.0).clone();
    (bytes, results)
}

#[test]
fn a_recording_plays_as_it_was_in_any_interleaving() {
    let (tape, results) = recorded();
    let player = Player::read(&tape[..]).unwrap();
    assert_eq!((player.agents(), player.unplayed()), (vec!["ann".to_owned(), "bob".to_owned()], 6));
    // Bob first, and each in their own order.
    for (at, name) in [(1, "bob"), (0, "ann")] {
        let agent = player.agent(name);
        for (round, question) in ["one?", "two?", "one?"].into_iter().enumerate() {
            let again = stream(&agent, &Request::new(question));
            assert_eq!(again, results[2 * round + at], "{name} {question}");
        }
    }
    assert_eq!(player.unplayed(), 0);
    assert!(results[0].0.len() > 1, "words come one by one");
    let error = results[2].1.as_ref().unwrap_err();
    assert!(error.contains("the connection broke"), "{error}");
}

#[test]
fn another_request_is_refused_with_what_is_different() {
    let (tape, _) = recorded();
    let agent = Player::read(&tape[..]).unwrap().agent("ann");
    let error = agent.reply(&Request::new("once?")).unwrap_err();
    assert_eq!(error.code(), "unrecorded");
    let error = error.to_string();
    assert!(error.contains("/messages/0/text was \"one?\", is \"once?\""), "{error}");
    for question in ["one?", "two?", "one?"] {
        drop(agent.reply(&Request::new(question)));
    }
    let error = agent.reply(&Request::new("one?")).unwrap_err().to_string();
    assert!(error.contains("all 3 recorded exchanges were played"), "{error}");
    let nobody = Player::read(&tape[..]).unwrap().agent("eve");
    let error = nobody.reply(&Request::new("one?")).unwrap_err().to_string();
    assert!(error.contains("is not on the recording; it has ann, bob"), "{error}");
}

#[test]
fn a_broken_tape_is_named_by_its_line() {
    let (tape, _) = recorded();
    let text = String::from_utf8(tape).unwrap();
    let edited = text.replacen("two?", "tvo?", 1);
    assert!(Player::read(edited.as_bytes()).unwrap_err().contains("digest is not its request's"));
    // A full disk leaves half a line at the end, which is left out; elsewhere it is an error.
    let cut = &text[..text.len() - 9];
    assert_eq!(Player::read(cut.as_bytes()).unwrap().unplayed(), 5);
    let ended = format!("{cut}\n");
    assert!(Player::read(ended.as_bytes()).unwrap_err().contains("line 6 is no recorded exchange"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    assert!(Player::open(&path).unwrap_err().to_string().contains("cannot be read"));
    std::fs::write(&path, &text).unwrap();
    assert_eq!(Player::open(&path).unwrap().unplayed(), 6);
    assert!(Cassette::create(&path).unwrap_err().to_string().contains("cannot be written"));
}

#[test]
fn a_recorder_that_cannot_write_says_so() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let agent = Recorder::new(Scripted::new("ann", ["yes"]), &Cassette::to(Full));
    let error = agent.reply(&Request::new("?")).unwrap_err().to_string();
    assert!(error.starts_with("ann: the exchange could not be recorded"), "{error}");
}
