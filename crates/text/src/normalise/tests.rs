//! What cleaning keeps, and that the way back is never lost.

use proptest::prelude::*;

use super::*;

#[test]
fn writes_each_thing_one_way() {
    for (original, clean) in [
        ("plain text\n\tstays", "plain text\n\tstays"),
        ("\u{201c}smart\u{201d} \u{2018}quotes\u{2019}", "\"smart\" 'quotes'"),
        ("\u{ab}guillemets\u{bb}", "\"guillemets\""),
        ("it\u{2032}s, don\u{b4}t", "it's, don't"),
        ("5\u{2013}10 \u{2014} yes", "5\u{2013}10 \u{2014} yes"),
        ("non\u{2011}breaking \u{2212}2.5", "non-breaking -2.5"),
        ("a\u{a0}b\u{202f}c\u{3000}d", "a b c d"),
        ("one\u{2028}two\u{85}three\r\nfour\rfive", "one\ntwo\nthree\nfour five"),
        ("ze\u{200b}ro wid\u{feff}th soft\u{ad}hyphen", "zero width softhyphen"),
        ("\u{202e}bidi\u{2066}", "bidi"),
        ("tag\u{e0041}\u{e0042}s", "tags"),
        ("bell\u{7}\u{1b}[0m", "bell  [0m"),
        ("\u{ff21}\u{ff22}\u{ff11}", "AB1"),
        ("\u{fb01}ne \u{fb02}ow o\u{fb03}ce", "fine flow office"),
        ("cafe\u{301}", "caf\u{e9}"),
        ("cafe\u{200b}\u{301}!", "caf\u{e9}!"),
        ("\u{1100}\u{1161}\u{11a8}", "\u{ac01}"),
        ("\u{212b}\u{212a}", "\u{c5}K"),
        ("\u{2764}\u{fe0f}\u{200d}\u{1f525} x\u{200d}y", "\u{2764}\u{200d}\u{1f525} xy"),
        ("\u{ff21}\u{301}", "\u{c1}"),
        ("", ""),
        ("\u{200b}", ""),
    ] {
        assert_eq!(Clean::new(original).text(), clean, "{original:?}");
    }
}

#[test]
fn clean_text_is_borrowed() {
    for text in ["plain", "caf\u{e9} \u{2014} na\u{ef}ve", "\u{65e5}\u{672c}", ""] {
        assert!(matches!(Clean::new(text).text, Cow::Borrowed(_)), "{text:?}");
    }
    assert!(matches!(Clean::new("\u{200b}").text, Cow::Owned(_)));
}

#[test]
fn the_way_back_is_tight() {
    let original = "a\u{200b}b cafe\u{301} \u{201c}q\u{201d}\r\nend\u{feff}";
    let clean = Clean::new(original);
    let back = |part: &str| {
        let at = clean.text().find(part).unwrap();
        clean.original_span(Span::new(at, at + part.len())).of(original).unwrap()
    };
    assert_eq!(back("a"), "a");
    assert_eq!(back("b"), "b");
    assert_eq!(back("ab"), "a\u{200b}b");
    assert_eq!(back("\u{e9}"), "e\u{301}");
    assert_eq!(back("\"q\""), "\u{201c}q\u{201d}");
    assert_eq!(back("q"), "q");
    assert_eq!(back("end"), "end");
    assert_eq!(back("\nend"), "\nend");
    let whole = clean.original_span(Span::new(0, clean.text().len()));
    assert_eq!(whole, Span::new(0, original.len() - 3));
    assert_eq!(
        clean.original_span(Span::new(999, 9999)),
        Span::new(original.len(), original.len())
    );
}

#[test]
fn many_marks_and_many_hidden_characters_stay_cheap() {
    // Alternating classes force a real reordering; a quadratic cleaner would not come back.
    let marks = format!("x{}", "\u{301}\u{316}".repeat(50_000));
    assert!(Clean::new(&marks).text().starts_with('x'));
    let hidden = "a\u{200b}".repeat(50_000) + &"\u{200b}".repeat(100_000) + "\u{301}";
    assert_eq!(Clean::new(&hidden).text().len(), 49_999 + 2);
}

/// Text thick with the characters that cleaning cares about.
fn rough() -> impl Strategy<Value = String> {
    let special = prop::sample::select(
        "aeKs =<\n\r\t'\"\u{301}\u{316}\u{338}\u{323}\u{f73}\u{f71}\u{f72}\u{e9}\u{1e69}\u{212a}\u{2126}\u{200b}\u{200d}\
         \u{fe0f}\u{2764}\u{1f525}\u{275b}\u{2019}\u{374}\u{1ffd}\u{ff21}\u{fb03}\u{1100}\u{1161}\u{11a8}\
         \u{ac00}\u{202e}\u{e0041}\u{85}\u{7}\u{34f}\u{2000}\u{2194}\u{21ae}\u{2010}\u{2015}\u{9d7}\u{9c7}"
            .chars()
            .collect::<Vec<_>>(),
    );
    prop::collection::vec(prop_oneof![4 => special, 1 => any::<char>()], 0..40)
        .prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn cleaning_twice_is_cleaning_once(original in rough()) {
        let once = Clean::new(&original);
        let twice = Clean::new(once.text());
        prop_assert_eq!(once.text(), twice.text());
    }

    #[test]
    fn both_spellings_give_the_same_text(original in rough()) {
        let (nfc, nfd) =
            (original.nfc().collect::<String>(), original.nfd().collect::<String>());
        let clean = Clean::new(&original).text().to_owned();
        prop_assert_eq!(Clean::new(&nfc).text().to_owned(), clean.clone());
        prop_assert_eq!(Clean::new(&nfd).text().to_owned(), clean.clone());
        prop_assert!(unicode_normalization::is_nfc(&clean));
    }

    #[test]
    fn spans_come_back_in_order_and_whole(original in rough()) {
        let clean = Clean::new(&original);
        let len = clean.text().len();
        let mut before = Span::new(0, 0);
        for at in 0..=len + 1 {
            let one = clean.original_span(Span::new(at, at + 1));
            prop_assert!(one.of(&original).is_some(), "{:?} of {:?}", one, original);
            prop_assert!(before.start() <= one.start() && before.end() <= one.end());
            before = one;
            let tail = clean.original_span(Span::new(at, len));
            prop_assert!(tail.of(&original).is_some());
            prop_assert!(tail.start() == one.start());
        }
    }
}
