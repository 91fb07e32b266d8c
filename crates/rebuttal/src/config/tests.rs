//! Files as users write them, and every slip in them named by its line.

mod agents;
mod debate;

use std::path::Path;

use rebuttal_llm::{Api, KeyRef};

use super::*;

fn read(text: &str) -> Result<Semantics> {
    Ok(read::sections(text, Path::new("conf/rebuttal.toml"))?.semantics)
}

fn config_of(text: &str) -> Config {
    read::sections(text, Path::new("conf/rebuttal.toml")).unwrap()
}

fn refused(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn nothing_is_the_default() {
    for text in ["", "# nothing\n", "[semantics]\n"] {
        let semantics = read(text).unwrap();
        assert!(matches!(semantics.embeddings, Set { value: Embeddings::Builtin, line: None }));
        assert_eq!(semantics.inference.value, InferenceBy::Builtin);
        assert_eq!((semantics.cache.value, semantics.threads.value), (None, None));
    }
}

#[test]
fn values_know_their_lines_and_folders_their_file() {
    let semantics = read(
        "[semantics]\nthreads = 2\n\nembeddings = { folder = 'models/mini' }\ninference = \"rules\"\n\
         cache = { folder = \"/var/cache/x\", max_mb = 64 }\n",
    )
    .unwrap();
    assert_eq!(semantics.threads, Set { value: NonZeroUsize::new(2), line: Some(2) });
    let Set { value: Embeddings::Folder(folder), line: Some(4) } = semantics.embeddings else {
        panic!("{:?}", semantics.embeddings)
    };
    assert_eq!(folder, Path::new("conf/models/mini"));
    assert_eq!(semantics.inference, Set { value: InferenceBy::Rules, line: Some(5) });
    let cache = Cache { folder: "/var/cache/x".into(), max_mb: 64 };
    assert_eq!(semantics.cache, Set { value: Some(cache), line: Some(6) });
    let folder = read("[semantics]\ninference = { folder = \"nli\" }").unwrap().inference.value;
    assert_eq!(folder, InferenceBy::Folder("conf/nli".into()));
}

#[test]
fn an_endpoint_is_read_in_both_spellings() {
    let inline = r#"
        [semantics]
        embeddings = { endpoint = "https://host/v1", model = "m", key = "file:keys/openai" }"#;
    let table = r#"
        [semantics.embeddings]
        endpoint = "https://host/v1/"
        model = "m"
        api = "openai"
        key = "file:keys/openai""#;
    for text in [inline, table] {
        let Embeddings::Endpoint(settings) = read(text).unwrap().embeddings.value else {
            panic!("{text}")
        };
        assert_eq!(settings.address.to_string(), "https://host/v1");
        assert_eq!((settings.api, settings.model.as_str()), (Api::OpenAi, "m"));
        assert_eq!(settings.key, Some(KeyRef::File("conf/keys/openai".into())));
    }
}

#[test]
fn slips_are_refused_with_the_nearest_name() {
    for (text, reason) in [
        ("[semantic]", "1: unknown section `semantic`; did you mean `semantics`?"),
        ("[colours]", "1: unknown section `colours`; there are semantics, providers, agents"),
        ("[semantics]\nembedings = 1", "2: unknown key `embedings`; did you mean `embeddings`?"),
        ("[semantics]\ncolour = 1", "2: unknown key `colour`; there are embeddings, inference, "),
        (
            "[semantics]\nembeddings = { folder = 'x', model = 'y' }",
            "2: unknown key `model`; there are folder",
        ),
        ("[semantics]\nembeddings = { floder = 'x' }", "`floder`; did you mean `folder`?"),
        (
            "[semantics]\nembeddings = { endpoint = 'http://x', modle = 'y' }",
            "`modle`; did you mean `model`?",
        ),
        ("[semantics]\ncache = { folder = 'x', max = 1 }", "unknown key `max`; there are folder"),
        ("[semantics]\nthreads = 2\nthreads = 3", "3: duplicate key"),
        ("[semantics]\nthreads = \n", "2: "),
        ("semantics = 1", "1: [semantics] must be a table"),
    ] {
        let error = refused(text);
        assert!(error.starts_with("conf/rebuttal.toml:") && error.contains(reason), "{error}");
    }
}

#[test]
fn wrong_values_say_what_is_wanted() {
    for (value, reason) in [
        ("embeddings = 'none'", "`embeddings` must be \"builtin\", { folder"),
        ("embeddings = {}", "`embeddings` must be \"builtin\", { folder"),
        ("embeddings = { folder = '' }", "`folder` must be a text in quotes"),
        ("embeddings = { endpoint = 'http://x' }", "an endpoint needs `model`"),
        ("embeddings = { endpoint = 'x', model = 'm' }", "not the address of a server"),
        ("embeddings = { endpoint = 'http://x', model = 'm', api = 'grpc' }", "openai and ollama"),
        ("embeddings = { endpoint = 'http://x', model = 1 }", "`model` must be a text"),
        ("inference = 'model'", "`inference` must be \"builtin\", \"rules\""),
        ("inference = { endpoint = 'x' }", "unknown key `endpoint`; there are folder"),
        ("cache = true", "`cache` must be \"none\" or"),
        ("cache = { max_mb = 1 }", "`cache` must be \"none\" or"),
        ("cache = { folder = 'x', max_mb = 0 }", "`max_mb` must be a whole number"),
        ("threads = 0", "`threads` must be \"all\" or a number from 1 to 1024"),
        ("threads = -1", "`threads` must be"),
        ("threads = 99999999999999999999999", "`threads` must be"),
        ("threads = 1.5", "`threads` must be"),
    ] {
        let error = refused(&format!("[semantics]\n{value}"));
        assert!(error.starts_with("conf/rebuttal.toml:2: ") && error.contains(reason), "{error}");
    }
}

#[test]
fn a_key_written_outright_is_refused_and_not_repeated() {
    for key in ["'sk-canary'", "'env:sk-canary'", "12345"] {
        let error = refused(&format!(
            "[semantics]\nembeddings = {{ endpoint = 'https://x', model = 'm', key = {key} }}"
        ));
        assert!(error.contains("write env:NAME or file:PATH"), "{error}");
        assert!(!error.contains("canary"), "{error}");
    }
}

#[test]
fn a_key_and_plain_http_need_a_word() {
    let with = |more: &str| {
        read(&format!(
            "[semantics]\nembeddings = {{ endpoint = 'http://host', model = 'm', key = 'env:K'{more} }}"
        ))
    };
    let error = with("").unwrap_err().to_string();
    assert!(error.contains("would travel unencrypted") && error.contains("plain_http = true"));
    assert!(with(", plain_http = false").is_err());
    with(", plain_http = true").unwrap();
    assert!(with(", plain_http = 'yes'").unwrap_err().to_string().contains("true or false"));
}

#[test]
fn how_reports_are_reconciled_is_read_and_slips_are_refused() {
    let read = |text: &str| read::sections(text, Path::new("conf/rebuttal.toml"));
    let text = "[reconcile]\nauthority = 'sources.toml'\ntolerance = 0\narbiter = 'none'\n";
    let reconcile = read(text).unwrap().reconcile;
    let path = Some(PathBuf::from("conf/sources.toml"));
    assert_eq!(reconcile.authority, Set { value: path, line: Some(2) });
    assert_eq!(reconcile.tolerance, Set { value: 0.0, line: Some(3) });
    assert_eq!(reconcile.arbiter, Set { value: None, line: Some(4) });
    for (slip, said) in [
        ("tolerance = 5", "`tolerance` must be a number from 0 to 1, for example 0.05"),
        ("tolerance = nan", "`tolerance` must be a number from 0 to 1, for example 0.05"),
        ("arbiter = 3", "`arbiter` must be a text in quotes"),
        ("autority = 'x'", "unknown key `autority`; did you mean `authority`?"),
    ] {
        let error = read(&format!("[reconcile]\n{slip}")).unwrap_err().to_string();
        assert_eq!(error, format!("conf/rebuttal.toml:2: {said}"));
    }
}
