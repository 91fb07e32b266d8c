//! What is a citation, what it cites, and what only looks like one.

use proptest::prelude::*;

use super::*;

/// One line per citation: kind, source, then value and period when there are any.
fn shown(text: &str) -> Vec<String> {
    let shown = |citation: &Citation| {
        let source = citation.source.of(text).unwrap();
        let value = citation.value.map_or(String::new(), |v| format!(" = {}", v.of(text).unwrap()));
        let period = citation
            .period
            .map_or(String::new(), |period| format!(" @ {}", period.span.of(text).unwrap()));
        format!("{:?} {source}{value}{period}", citation.kind)
    };
    citations(text).iter().map(shown).collect()
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(shown(text), [*expected], "{text}");
    }
}

#[test]
fn reads_brackets() {
    check(&[
        (
            "0.10% [Per extraction: '0.10%' from GCC-STAT Q1-2024].",
            "Extraction GCC-STAT = 0.10% @ Q1-2024",
        ),
        (
            "[per extraction: \"5 of 7\" from Table 3 of the audit]",
            "Extraction Table 3 of the audit = 5 of 7",
        ),
        ("as shown [1].", "Numbered 1"),
        ("as shown.[1]", "Numbered 1"),
        ("as shown [1, 2].", "Numbered 1, 2"),
        ("as shown [3-5].", "Numbered 3-5"),
        ("as shown [3\u{2013}5].", "Numbered 3\u{2013}5"),
        ("claim[^1]", "Footnote 1"),
        ("claim [^note]", "Footnote note"),
        ("as reported\u{b9} before", "Footnote \u{b9}"),
        ("as reported.\u{b2}", "Footnote \u{b2}"),
        ("it was 5%\u{b9} then", "Footnote \u{b9}"),
        ("in 2023\u{b9}.", "Footnote \u{b9}"),
        ("as reported.^1", "Footnote 1"),
        ("in 2023^12, it", "Footnote 12"),
        ("in 2023[1].", "Numbered 1"),
        ("see [the docs](https://example.org/a_(b)?c=1).", "Url https://example.org/a_(b)?c=1"),
        ("[docs](https://example.org/a \"Title\")", "Url https://example.org/a"),
        ("[Vaswani et al., 2017]", "AuthorYear Vaswani et al. @ 2017"),
    ]);
}

#[test]
fn reads_authors_and_years() {
    check(&[
        ("(Vaswani et al., 2017)", "AuthorYear Vaswani et al. @ 2017"),
        ("(Vaswani et al. 2017)", "AuthorYear Vaswani et al. @ 2017"),
        ("(Pascanu & Bengio, 2013)", "AuthorYear Pascanu & Bengio @ 2013"),
        ("(see Pascanu & Bengio, 2013, p. 5)", "AuthorYear Pascanu & Bengio @ 2013"),
        ("(WHO, 2021)", "AuthorYear WHO @ 2021"),
        ("(M\u{fc}ller and van der Berg, 2020b)", "AuthorYear M\u{fc}ller and van der Berg @ 2020"),
        ("Vaswani et al. (2017) showed", "AuthorYear Vaswani et al. @ 2017"),
        ("Per Smith (2024), the", "AuthorYear Smith @ 2024"),
        ("Smith (2024) found", "AuthorYear Smith @ 2024"),
        ("by Smith and Jones (2019)", "AuthorYear Smith and Jones @ 2019"),
        ("by Smith & M\u{fc}ller (2019)", "AuthorYear Smith & M\u{fc}ller @ 2019"),
        ("(World Bank 2024, p. 12)", "AuthorYear World Bank @ 2024"),
        ("(World Bank 2024: 12\u{2013}14)", "AuthorYear World Bank @ 2024"),
        ("World Bank (2024: 12) puts", "AuthorYear World Bank @ 2024"),
        ("The Bank of England (2024, p. 3) says", "AuthorYear Bank of England @ 2024"),
    ]);
    assert_eq!(
        shown("(Smith and Jones 2019; Lee, 2020)"),
        ["AuthorYear Smith and Jones @ 2019", "AuthorYear Lee @ 2020"]
    );
}

#[test]
fn reads_identifiers_and_links() {
    check(&[
        ("doi:10.1000/182.", "Doi 10.1000/182"),
        ("https://doi.org/10.1000/182", "Doi 10.1000/182"),
        ("paper 10.1038/s41586-020-2649-2 says", "Doi 10.1038/s41586-020-2649-2"),
        ("RFC 9110 says", "Rfc RFC 9110"),
        ("RFC9110", "Rfc RFC9110"),
        ("arXiv:1706.03762", "Arxiv 1706.03762"),
        ("https://arxiv.org/abs/1706.03762v5", "Arxiv 1706.03762v5"),
        ("CVE-2021-44228", "Standard CVE-2021-44228"),
        ("ISO 27001", "Standard ISO 27001"),
        ("ISO/IEC 27001:2022", "Standard ISO/IEC 27001:2022"),
        ("NIST SP 800-53", "Standard NIST SP 800-53"),
        ("see https://example.org/a.", "Url https://example.org/a"),
        ("(https://example.org/a_(b))", "Url https://example.org/a_(b)"),
        ("<https://example.org>", "Url https://example.org"),
        ("www.example.org, then", "Url www.example.org"),
        ("Smith v. Jones, 14 F.3d 221", "Legal Smith v. Jones"),
        ("in Roe v. Wade, 410 U.S. 113 (1973), the", "Legal Roe v. Wade @ 1973"),
        ("Brown v. Board of Education", "Legal Brown v. Board of Education"),
    ]);
}

#[test]
fn reads_attributions() {
    check(&[
        ("According to the World Bank, it grew", "Attribution the World Bank"),
        ("according to the World Bank it grew", "Attribution the World Bank"),
        ("according to a 2021 study, it grew", "Attribution a 2021 study @ 2021"),
        ("according to researchers at MIT the cost", "Attribution researchers at MIT"),
        ("according to official statistics.", "Attribution official statistics"),
        ("according to Vaswani et al. (2017), it", "Attribution Vaswani et al. @ 2017"),
        ("according to the Bank of England estimates rose", "Attribution the Bank of England"),
        ("according to U.S. officials", "Attribution U.S. officials"),
        ("according to the World Bank (2024: 14), it", "Attribution the World Bank @ 2024"),
        ("Source: World Bank, 2021.", "SourceNote World Bank, 2021 @ 2021"),
        ("Sources: IMF and WHO", "SourceNote IMF and WHO"),
        ("(source: annual report)", "SourceNote annual report"),
        ("Source: https://example.org/a", "SourceNote https://example.org/a"),
    ]);
}

#[test]
fn what_only_looks_like_one() {
    for text in [
        "(about 1000)",
        "(in 2017)",
        "(In 2017)",
        "(2017)",
        "array[1]",
        "x[1]",
        "f(x)[1]",
        "[ ]",
        "x^2",
        "10^6 users",
        "(World 2024)",
        "Paris (2017, spring)",
        "- [x] done",
        "[2017]",
        "[12345]",
        "(March 2017)",
        "(Q1 2024)",
        "Paris (2017)",
        "according to me",
        "according to you, yes",
        "according to my gut",
        "according to some",
        "according to rumour",
        "according to people I know",
        "according to plan",
        "according to what I heard",
        "no source: none",
        "source: none",
        "Source: unknown",
        "source: me",
        "Source: trust me",
        "source::Type",
        "km\u{b2}",
        "x\u{b2}",
        "10\u{b2}",
        "accordingly",
        "resource: X",
        "the RFC process",
        "arXiv is nice",
        "ISO certified",
        "ISO 400 film",
        "http is a protocol",
        "v. good",
        "A vs. B",
        "(a (a (a",
        "[[[[",
        "[]",
        "()",
        "(see below)",
        "(Section 3)",
        "(version 2.0)",
        "(Alice)",
        "[note]",
        "open source: great",
        "a.10.1000",
        "",
        "CVE-21-1",
        "(FY 2023)",
        "(Figure 2)",
    ] {
        assert_eq!(shown(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn hostile_text_comes_back() {
    for piece in [
        "(a ",
        "[",
        "(",
        "[1",
        "((((",
        "[a](",
        "according to ",
        "A v. ",
        "https://",
        "(A, 2017; ",
        "Source: ",
        "[per extraction: ",
        "al. (2017)",
        "10.1000/",
        "\u{b9}",
        "aaaa",
        "doi:",
        ") ",
    ] {
        let text = piece.repeat(30_000);
        assert!(citations(&text).iter().all(|citation| citation.span.end() <= text.len()));
    }
}

/// Text thick with the beginnings of citations.
fn thick() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "[",
        "]",
        "(",
        ")",
        "1",
        "2017",
        ",",
        " ",
        ";",
        ".",
        "et al.",
        "Smith",
        " and ",
        " & ",
        "according to ",
        "the ",
        "World Bank",
        "study",
        "Source: ",
        "https://",
        "doi:10.1000/1",
        "www.",
        "RFC ",
        "arXiv:",
        "1706.03762",
        "CVE-2021-",
        "44228",
        "ISO ",
        "v. ",
        "\u{b9}",
        "^",
        "Per extraction: ",
        "'",
        " from ",
        "Q1-2024",
        "\n",
        "\u{e9}",
        "x",
        "-",
        "/",
        "me",
        "<",
    ]);
    prop::collection::vec(prop_oneof![9 => pieces.prop_map(str::to_owned), 1 => ".{0,3}"], 0..24)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn spans_are_in_order_and_in_range(text in thick()) {
        let mut end = 0;
        for citation in citations(&text) {
            prop_assert!(citation.span.of(&text).is_some_and(|part| !part.is_empty()));
            prop_assert!(citation.span.start() >= end, "{:?} in {:?}", citation, text);
            prop_assert!(citation.span.contains(citation.source), "{:?} in {:?}", citation, text);
            prop_assert!(citation.source.of(&text).is_some());
            prop_assert!(citation.value.is_none_or(|value| value.of(&text).is_some()));
            prop_assert!(citation.period.is_none_or(|period| period.span.of(&text).is_some()));
            end = citation.span.end();
        }
    }
}
