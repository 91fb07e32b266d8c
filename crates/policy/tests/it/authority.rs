//! Policy files, good and bad.

use rebuttal_policy::{Authority, Standing};

fn read(text: &str) -> (Authority, Vec<String>) {
    let (authority, problems) = Authority::read(text, "a.toml");
    (authority, problems.iter().map(ToString::to_string).collect())
}

fn above(authority: &Authority, one: &str, two: &str) -> bool {
    let (forward, reverse) = (authority.compare("", one, two), authority.compare("", two, one));
    assert_eq!(forward == Standing::Above, reverse == Standing::Below, "{one} {two}");
    forward == Standing::Above
}

#[test]
fn tiers_rules_and_aliases() {
    let (authority, problems) = read(
        r#"
        rules = ["IMF > Reuters > other"]
        [aliases]
        "World Bank" = ["WDI", "World Development Indicators"]
        [[tier]]
        name = "regional"
        sources = ["GCC-STAT", "PSA"]
        [[tier]]
        name = "World Bank"
        "#,
    );
    assert_eq!(problems, [""; 0]);
    assert!(above(&authority, "gcc stat 2024", "the WDI"));
    assert!(above(&authority, "PSA", "World Development Indicators (2023)"));
    assert!(above(&authority, "I.M.F.", "reuters"));
    assert!(above(&authority, "Reuters", "a blog"));
    for (one, two) in
        [("GCC-STAT", "PSA"), ("IMF", "World Bank"), ("a blog", "a tweet"), ("IMF", "IMF")]
    {
        assert_eq!(authority.compare("", one, two), Standing::Tied, "{one} {two}");
    }
}

#[test]
fn names_are_matched_on_whole_words() {
    let (authority, _) =
        read(r#"rules = ["World Bank > World Bank Group Blog", "IMF > World Bank"]"#);
    for text in ["World-Bank", "the World Bank", "World Bank WDI 2024", "WORLDBANK", "(world bank)"]
    {
        assert_eq!(authority.knows(text), Some("World Bank"), "{text}");
    }
    assert_eq!(authority.knows("the World Bank Group Blog"), Some("World Bank Group Blog"));
    assert_eq!(authority.knows("World Bank, quoting the IMF"), Some("World Bank"));
    for text in ["World Bankers Daily", "Bank", "", "—"] {
        assert_eq!(authority.knows(text), None, "{text}");
    }
}

#[test]
fn a_metric_may_have_its_own_order() {
    let (authority, problems) = read(
        r#"
        rules = ["GCC-STAT > World Bank > OPEC"]
        [[metric]]
        name = "oil exports"
        rules = ["OPEC > GCC-STAT"]
        "#,
    );
    assert_eq!(problems, [""; 0]);
    let on = |metric, one, two| authority.compare(metric, one, two);
    assert_eq!(on("qatar_oil_exports", "OPEC", "GCC-STAT"), Standing::Above);
    assert_eq!(on("qatar_oil_exports", "GCC-STAT", "World Bank"), Standing::Above);
    assert_eq!(on("unemployment", "OPEC", "GCC-STAT"), Standing::Below);
    assert_eq!(on("soil exports", "OPEC", "GCC-STAT"), Standing::Below);
}

#[test]
fn circles_are_named_and_cost_one_rule() {
    let (authority, problems) =
        read("rules = [\n \"A > B\",\n \"B > C > D\",\n \"C > A\",\n \"D > E\",\n \"E > E\",\n]\n");
    assert_eq!(
        problems,
        [
            "a.toml:4: this rule closes a circle and is left out: A > B (line 2), B > C (line 3), \
             C > A (line 4)",
            "a.toml:6: this rule closes a circle and is left out: E > E (line 6)",
        ]
    );
    assert!(above(&authority, "A", "E"));
}

#[test]
fn a_rule_against_the_tiers_is_a_circle() {
    let (authority, problems) =
        read("rules = [\"low > high\"]\n[[tier]]\nname = \"high\"\n[[tier]]\nname = \"low\"\n");
    assert_eq!(
        problems,
        [
            "a.toml:1: this rule closes a circle and is left out: high > low (line 4), low > high (line 1)"
        ]
    );
    assert!(above(&authority, "high", "low"));
}

#[test]
fn what_is_wrong_costs_no_more_than_itself() {
    let (authority, problems) = read(
        r#"
rules = ["A > B", "B >", "C", 7, "other > C", "B > C", ""]
alias = 3
[aliases]
B = ["bee", "!"]
Zebra = ["zed", "bee"]
[[tier]]
nam = "x"
[[tier]]
sources = ["T", "T", "other"]
[[metric]]
name = "gdp"
"#,
    );
    assert_eq!(
        problems,
        [
            "a.toml:3: unknown key `alias`; did you mean `aliases`?",
            "a.toml:5: `!` is no name of a source",
            "a.toml:6: `bee` already means B",
            "a.toml:8: unknown key `nam`; did you mean `name`?",
            "a.toml:7: a tier needs `sources`, or a `name` that is its source",
            "a.toml:10: T already stands in a tier; the first one counts",
            "a.toml:2: `rules` holds texts in quotes only",
            "a.toml:2: `B >` is no rule; write \"A > B\"",
            "a.toml:2: `C` is no rule; write \"A > B\"",
            "a.toml:2: in `other > C` something stands below `other`, which is always last",
            "a.toml:2: `` is no rule; write \"A > B\"",
            "a.toml:11: a metric needs a `name` and `rules`",
            "a.toml:6: no tier or rule names `Zebra`; keys of the file stand above [aliases]",
        ]
    );
    assert!(above(&authority, "T", "zed") && above(&authority, "bee", "C"));
}

#[test]
fn broken_toml_costs_its_line() {
    let (authority, problems) = read("rules = [\"A > B\"]\ntier = = 3\n");
    assert!(problems.iter().all(|problem| problem.starts_with("a.toml:2: ")), "{problems:?}");
    assert!(!problems.is_empty());
    assert!(above(&authority, "A", "B"));
}

#[test]
fn nothing_hidden_gets_into_a_message() {
    let (_, problems) = read("\"\\u001b[2J\" = 1\nrules = [\"\\u202e\"]\n");
    assert!(
        problems.iter().all(|problem| !problem.contains(['\u{1b}', '\u{202e}'])),
        "{problems:?}"
    );
    let (_, problems) = read(&"#\n".repeat(1 << 20));
    assert_eq!(problems, ["a.toml:1: is longer than 1048576 bytes and was not read"]);
}
