//! What is a quantity, what it is worth, and what only looks like one.

use proptest::prelude::*;

use super::*;

/// One line per quantity: what was written, what it is worth, what it counts.
fn shown(text: &str) -> Vec<String> {
    let part = |span: Option<Span>, lead: &str| match span {
        Some(span) => format!("{lead}{}", span.of(text).unwrap()),
        None => String::new(),
    };
    let shown = |quantity: &Quantity| {
        let value = match quantity.value {
            Value::Exact(value) => format!("{value}"),
            Value::Range { low, high } => format!("{low}..{high}"),
            Value::AtLeast(value) => format!(">={value}"),
            Value::AtMost(value) => format!("<={value}"),
            Value::MoreThan(value) => format!(">{value}"),
            Value::LessThan(value) => format!("<{value}"),
        };
        let unit = match quantity.unit {
            Unit::None => String::new(),
            Unit::Currency(code) => format!(" {code}"),
            unit => format!(" {unit:?}"),
        };
        let about = if quantity.approx { "~" } else { "" };
        let noun = part(quantity.noun, " of ");
        let per = part(quantity.per, " per ");
        format!("{} = {about}{value}{unit}{noun}{per}", quantity.span.of(text).unwrap())
    };
    quantities(text).iter().map(shown).collect()
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(shown(text), [*expected], "{text}");
    }
}

#[test]
fn reads_money_shares_and_ranges() {
    check(&[
        ("$317.1 billion", "$317.1 billion = 317100000000 USD"),
        ("317,064 million dollars", "317,064 million dollars = 317064000000 USD"),
        ("317,064 million", "317,064 million = 317064000000"),
        ("USD 317.06bn", "USD 317.06bn = 317060000000 USD"),
        ("EUR5m of it", "EUR5m = 5000000 EUR"),
        ("\u{20ac}1.2m", "\u{20ac}1.2m = 1200000 EUR"),
        ("US$5 a day", "US$5 = 5 USD per day"),
        ("$5 million USD", "$5 million USD = 5000000 USD"),
        ("5 US dollars", "5 US dollars = 5 USD"),
        ("20 \u{20ac}", "20 \u{20ac} = 20 EUR"),
        ("-$5", "-$5 = -5 USD"),
        ("0.10 %", "0.10 % = 0.1 Percent"),
        ("7 per cent", "7 per cent = 7 Percent"),
        ("5\u{2013}10 %", "5\u{2013}10 % = 5..10 Percent"),
        ("5-10%", "5-10% = 5..10 Percent"),
        ("5.5-6.5%", "5.5-6.5% = 5.5..6.5 Percent"),
        ("5% to 10%", "5% to 10% = 5..10 Percent"),
        ("between 5 and 10 percent", "5 and 10 percent = 5..10 Percent"),
        ("between about five and ten percent", "five and ten percent = ~5..10 Percent"),
        ("from 5 to 10", "5 to 10 = 5..10"),
        ("$5-10 million", "$5-10 million = 5000000..10000000 USD"),
        ("$5 million to $10 million", "$5 million to $10 million = 5000000..10000000 USD"),
        ("20 ms to 1 s", "20 ms to 1 s = 0.02..1 Seconds"),
    ]);
}

#[test]
fn reads_numbers_and_measures() {
    check(&[
        ("-2.5", "-2.5 = -2.5"),
        ("+3", "+3 = 3"),
        ("minus 2.5", "minus 2.5 = -2.5"),
        ("1,234,567.89", "1,234,567.89 = 1234567.89"),
        ("1.5x", "1.5x = 1.5 Times"),
        ("a 3-fold rise", "3-fold = 3 Times"),
        ("3/4", "3/4 = 0.75"),
        ("a third", "a third = 0.3333333333333333"),
        ("two thirds", "two thirds = 0.6666666666666666"),
        ("half", "half = 0.5"),
        ("three quarters", "three quarters = 0.75"),
        ("a dozen", "a dozen = 12"),
        ("twelve", "twelve = 12"),
        ("twenty-five", "twenty-five = 25"),
        ("two hundred and fifty thousand", "two hundred and fifty thousand = 250000"),
        ("two and a half million people", "two and a half million = 2500000 Count of people"),
        ("10^6", "10^6 = 1000000"),
        ("1e6", "1e6 = 1000000"),
        ("20 ms", "20 ms = 0.02 Seconds"),
        ("200ms", "200ms = 0.2 Seconds"),
        ("p99 of 250 ms", "250 ms = 0.25 Seconds"),
        ("10 000 users", "10 000 = 10000 Count of users"),
        ("4 GB", "4 GB = 4000000000 Bytes"),
        ("25 bps", "25 bps = 25 BasisPoints"),
        ("3 pp", "3 pp = 3 PercentagePoints"),
        ("3 percentage points", "3 percentage points = 3 PercentagePoints"),
        ("5 services", "5 = 5 Count of services"),
        ("5 s", "5 s = 5 Seconds"),
        ("5s", "5s = 5 Seconds"),
        ("five large services", "five = 5 Count of services"),
        ("a 10-person team", "10 = 10 Count of person"),
        ("a five-year plan", "five-year = 157788000 Seconds"),
        ("12 months", "12 months = 31557600 Seconds"),
    ]);
}

#[test]
fn reads_bounds_estimates_and_names() {
    check(&[
        ("more than 325", "325 = >325"),
        ("at least two thirds", "two thirds = >=0.6666666666666666"),
        ("up to 5 GB", "5 GB = <=5000000000 Bytes"),
        ("fewer than 20 users", "20 = <20 Count of users"),
        ("no more than 3 times", "3 = <=3"),
        ("over 9000", "9000 = >9000"),
        ("below 0.5", "0.5 = <0.5"),
        (">= 3 replicas", "3 = >=3 Count of replicas"),
        ("100+ users", "100+ = >=100 Count of users"),
        ("5 or more votes", "5 or more = >=5 Count of votes"),
        ("about 1000", "1000 = ~1000"),
        ("at least about 30 %", "30 % = ~>=30 Percent"),
        ("~40", "40 = ~40"),
        ("nearly half of it", "half = ~0.5"),
        ("port 2049", "2049 = 2049 of port"),
        ("runs on Python 3.11", "3.11 = 3.11 of Python"),
        ("2000 users", "2000 = 2000 Count of users"),
        ("2,000 users", "2,000 = 2000 Count of users"),
        ("200 requests per second", "200 = 200 Count of requests per second"),
        ("10 GB/s", "10 GB = 10000000000 Bytes per s"),
        ("7B parameters", "7B = 7000000000 Count of parameters"),
        ("'0.10%'", "0.10% = 0.1 Percent"),
        ("one hundred percent", "one hundred percent = 100 Percent"),
        ("one second", "one second = 1 Seconds"),
        ("(5 %)", "5 % = 5 Percent"),
        ("It cost 5.", "5 = 5"),
        (".5 of it", ".5 = 0.5"),
        ("20 \u{b0}C", "20 \u{b0}C = 20 Celsius"),
    ]);
}

#[test]
fn what_only_looks_like_one() {
    for text in [
        "version 1.2.3",
        "at 10.0.0.1",
        "call 555-123-4567",
        "call (555) 123-4567",
        "call +1 555 123 4567",
        "call 555-1234",
        "1. First",
        "  2) second",
        "> 3. quoted",
        "as shown [1]",
        "as shown [1, 2]",
        "see [3-5]",
        "utf8 and GPT-4",
        "utf-8",
        "COVID-19",
        "section 3.2",
        "Section 4",
        "see Figure 2",
        "\u{a7} 5",
        "in 2017",
        "the 2017 report",
        "2024-03-05",
        "5 March 2024",
        "https://example.org/5/10?a=7 rest",
        "issue #12",
        "at 10:30",
        "3rd",
        "the 21st century",
        "no one knows",
        "one of them",
        "two-factor",
        "half-baked",
        "a third party",
        "the first half",
        "python3",
        "x1",
        "5xx",
        "2FA",
        "thousands of users",
        "several million",
        "RFC 9110",
        "ISO 27001",
        "Q1 2024",
        "the 1990s",
        "a (1) b (2)",
        "v1.x and 2.x",
        "24:00:00",
        "1111111111111111111111111111111",
        "agent 007",
        "N+1 queries",
        "in 2503.13657 they",
        "item_5",
        "a/5",
        "someone",
        "tenant",
        "fork",
        "",
        "a",
        "FY2023",
    ] {
        assert_eq!(shown(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn reads_several() {
    let text = "Revenue rose 5 % to $3.2bn in 2023, from 12 services to 14 services.";
    assert_eq!(
        shown(text),
        [
            "5 % = 5 Percent",
            "$3.2bn = 3200000000 USD",
            "12 = 12 Count of services",
            "14 = 14 Count of services"
        ]
    );
}

#[test]
fn a_fall_shares_its_unit() {
    assert_eq!(
        shown("turned from 71 to 55 percent positive"),
        ["71 = 71 Percent", "55 percent = 55 Percent"]
    );
}

#[test]
fn rounding_is_known() {
    let both = quantities("$317.1 billion against 317,064 million dollars");
    let [coarse, fine] = both[..] else { panic!("{both:?}") };
    let (Value::Exact(a), Value::Exact(b)) = (coarse.value, fine.value) else { panic!() };
    assert!((a - b).abs() <= coarse.step / 2.0);
    assert_eq!((coarse.decimals, fine.decimals), (1, 0));
    assert!((fine.step - 1e6).abs() < 1e-6 && (coarse.scale - 1e9).abs() < 1e-6);
    assert_eq!(quantities("0.10%")[0].decimals, 2);
    assert!(quantities("a third")[0].step.abs() < 1e-12);
}

#[test]
fn hostile_text_comes_back() {
    for piece in [
        "1 ",
        "1,",
        "1-",
        "1.",
        "1,111",
        "1",
        "one ",
        "a ",
        "((((",
        "[[[[",
        "1/2 ",
        "$1 ",
        "five hundred and ",
        "1 to ",
        "-",
        "$",
        "\u{20ac}",
        "USD ",
        "1e",
        "1^",
        "between 1 and ",
    ] {
        let text = piece.repeat(30_000);
        let found = quantities(&text);
        assert!(found.iter().all(|quantity| quantity.span.end() <= text.len()));
    }
}

/// Text thick with numbers and what stands around them.
pub(crate) fn thick() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "1",
        "23",
        "2024",
        "5.5",
        "1,234",
        " ",
        "-",
        "\u{2013}",
        ".",
        ",",
        "/",
        "%",
        "$",
        "\u{20ac}",
        "USD",
        "million",
        "bn",
        " ms",
        "GB",
        "between ",
        " and ",
        " to ",
        "about ",
        "more than ",
        "half",
        "a third",
        "two",
        "twenty-",
        "hundred",
        "(",
        ")",
        "[",
        "]",
        "\n",
        "x",
        "^",
        "e",
        "services",
        "port ",
        "Q1",
        "March",
        "FY",
        "'",
        "s",
        "\u{e9}",
        "https://",
        ":",
        "one ",
        "a ",
    ]);
    prop::collection::vec(prop_oneof![9 => pieces.prop_map(str::to_owned), 1 => ".{0,3}"], 0..24)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn spans_are_in_order_and_in_range(text in thick()) {
        let mut end = 0;
        for quantity in quantities(&text) {
            prop_assert!(quantity.span.of(&text).is_some_and(|part| !part.is_empty()));
            prop_assert!(quantity.span.start() >= end, "{:?} in {:?}", quantity, text);
            for part in [quantity.noun, quantity.per, quantity.unit_span].into_iter().flatten() {
                prop_assert!(part.of(&text).is_some());
            }
            end = quantity.span.end();
        }
    }
}
