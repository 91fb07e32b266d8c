//! What is a period, which days it covers, and what only looks like one.

use proptest::prelude::*;

use super::*;

fn shown(text: &str) -> Vec<String> {
    let shown = |period: &Period| {
        let dates = period.dates.map_or("?".to_owned(), |(from, to)| format!("{from}..{to}"));
        let fiscal = if period.fiscal { " fiscal" } else { "" };
        let ambiguous = if period.ambiguous { " ambiguous" } else { "" };
        let words = period.span.of(text).unwrap();
        format!("{words} = {:?} {dates}{fiscal}{ambiguous}", period.grain)
    };
    periods(text).iter().map(shown).collect()
}

#[test]
fn reads_what_is_written() {
    for (text, expected) in [
        ("in 2017", "2017 = Year 2017-01-01..2017-12-31"),
        ("(2017)", "2017 = Year 2017-01-01..2017-12-31"),
        ("the 2017 report", "2017 = Year 2017-01-01..2017-12-31"),
        ("2017's report", "2017 = Year 2017-01-01..2017-12-31"),
        ("In 2024 sales rose", "2024 = Year 2024-01-01..2024-12-31"),
        ("mid-2024", "2024 = Year 2024-01-01..2024-12-31"),
        ("in 1066", "1066 = Year 1066-01-01..1066-12-31"),
        ("Q1-2024", "Q1-2024 = Quarter 2024-01-01..2024-03-31"),
        ("Q1 2024", "Q1 2024 = Quarter 2024-01-01..2024-03-31"),
        ("2024Q1", "2024Q1 = Quarter 2024-01-01..2024-03-31"),
        ("2024-Q4", "2024-Q4 = Quarter 2024-10-01..2024-12-31"),
        ("Q2'24", "Q2'24 = Quarter 2024-04-01..2024-06-30"),
        ("3Q24", "3Q24 = Quarter 2024-07-01..2024-09-30"),
        ("first quarter of 2024", "first quarter of 2024 = Quarter 2024-01-01..2024-03-31"),
        ("Third quarter 2024", "Third quarter 2024 = Quarter 2024-07-01..2024-09-30"),
        ("in Q3", "Q3 = Quarter ?"),
        ("H1 2024", "H1 2024 = Half 2024-01-01..2024-06-30"),
        ("second half of 2023", "second half of 2023 = Half 2023-07-01..2023-12-31"),
        ("FY2023", "FY2023 = Year 2023-01-01..2023-12-31 fiscal"),
        ("FY23", "FY23 = Year 2023-01-01..2023-12-31 fiscal"),
        ("FY 2023/24", "FY 2023/24 = Year 2023-07-01..2024-06-30 fiscal"),
        ("fiscal year 2023", "fiscal year 2023 = Year 2023-01-01..2023-12-31 fiscal"),
        ("Q1 FY2023", "Q1 FY2023 = Quarter 2023-01-01..2023-03-31 fiscal"),
        ("March 2024", "March 2024 = Month 2024-03-01..2024-03-31"),
        ("Mar 2024", "Mar 2024 = Month 2024-03-01..2024-03-31"),
        ("Feb. 2024", "Feb. 2024 = Month 2024-02-01..2024-02-29"),
        ("2024-03", "2024-03 = Month 2024-03-01..2024-03-31"),
        ("2024-03-05", "2024-03-05 = Day 2024-03-05..2024-03-05"),
        ("2024-03-05T10:30:00Z", "2024-03-05 = Day 2024-03-05..2024-03-05"),
        ("5 March 2024", "5 March 2024 = Day 2024-03-05..2024-03-05"),
        ("5th of March 2024", "5th of March 2024 = Day 2024-03-05..2024-03-05"),
        ("March 5, 2024", "March 5, 2024 = Day 2024-03-05..2024-03-05"),
        ("05-Mar-2024", "05-Mar-2024 = Day 2024-03-05..2024-03-05"),
        ("03/05/2024", "03/05/2024 = Day 2024-03-05..2024-03-05 ambiguous"),
        ("25/03/2024", "25/03/2024 = Day 2024-03-25..2024-03-25"),
        ("5.3.2024", "5.3.2024 = Day 2024-03-05..2024-03-05"),
        ("It fell on 3 May.", "3 May = Day ?"),
        ("the raid of 1897 is", "1897 = Year 1897-01-01..1897-12-31"),
        ("on March 5 we met", "March 5 = Day ?"),
        ("the 1990s", "1990s = Decade 1990-01-01..1999-12-31"),
        ("2015\u{2013}2017", "2015\u{2013}2017 = Range 2015-01-01..2017-12-31"),
        ("2015-17", "2015-17 = Range 2015-01-01..2017-12-31"),
        ("from 2015 to 2017", "2015 to 2017 = Range 2015-01-01..2017-12-31"),
        ("between 2015 and 2017", "2015 and 2017 = Range 2015-01-01..2017-12-31"),
        ("between March and May 2024", "March and May 2024 = Range 2024-03-01..2024-05-31"),
        ("Q1\u{2013}Q3 2024", "Q1\u{2013}Q3 2024 = Range 2024-01-01..2024-09-30"),
        ("last year", "last year = Relative ?"),
        ("this quarter", "this quarter = Relative ?"),
        ("yesterday", "yesterday = Relative ?"),
        ("this fiscal year", "this fiscal year = Relative ? fiscal"),
        ("GCC-STAT Q1-2024]", "Q1-2024 = Quarter 2024-01-01..2024-03-31"),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
    }
}

#[test]
fn a_year_that_lies_in_two_is_one_year() {
    for (text, expected) in [
        ("FY2023-24", "FY2023-24 = Year 2023-07-01..2024-06-30 fiscal"),
        ("in 2022/23", "2022/23 = Year 2022-07-01..2023-06-30 fiscal"),
        ("in 2022/2023", "2022/2023 = Year 2022-07-01..2023-06-30 fiscal"),
        ("in 2022\u{2013}23", "2022\u{2013}23 = Year 2022-07-01..2023-06-30 fiscal"),
        ("in the 2022-23 season", "2022-23 season = Year 2022-07-01..2023-06-30 fiscal"),
        (
            "in the academic year 2022-23",
            "academic year 2022-23 = Year 2022-07-01..2023-06-30 fiscal",
        ),
        ("from 2022 to 2023", "2022 to 2023 = Range 2022-01-01..2023-12-31"),
        ("2022-2023", "2022-2023 = Range 2022-01-01..2023-12-31"),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
    }
    let [one, two] = ["the 2022-23 season", "the 2023-24 season"].map(|text| periods(text)[0]);
    assert_eq!(one.relation(&two), Relation::Disjoint);
    assert_eq!(one.relation(&periods("in 2022")[0]), Relation::Unknown);
}

#[test]
fn a_stretch_is_told_by_its_length_and_its_end() {
    for (text, expected) in [
        ("in the year to June 2024", "year to June 2024 = Range 2023-07-01..2024-06-30"),
        (
            "the twelve months ending March 2024",
            "twelve months ending March 2024 = Range 2023-04-01..2024-03-31",
        ),
        ("the 12 months to March 2024", "12 months to March 2024 = Range 2023-04-01..2024-03-31"),
        (
            "a 12-month period ending March 2024",
            "12-month period ending March 2024 = Range 2023-04-01..2024-03-31",
        ),
        (
            "six months ended 30 June 2023",
            "six months ended 30 June 2023 = Range 2023-01-01..2023-06-30",
        ),
        (
            "quarter ended June 30, 2023",
            "quarter ended June 30, 2023 = Range 2023-04-01..2023-06-30",
        ),
        ("the half year to June 2023", "half year to June 2023 = Range 2023-01-01..2023-06-30"),
        ("the year to 15 May 2024", "year to 15 May 2024 = Range 2023-05-16..2024-05-15"),
        (
            "the year to the end of June 2024",
            "year to the end of June 2024 = Range 2023-07-01..2024-06-30",
        ),
        ("the year to end-June 2024", "year to end-June 2024 = Range 2023-07-01..2024-06-30"),
        (
            "the fiscal year ended March 2024",
            "fiscal year ended March 2024 = Range 2023-04-01..2024-03-31",
        ),
        ("two years to June 2024", "two years to June 2024 = Range 2022-07-01..2024-06-30"),
        ("in the year to June", "year to June = Range ?"),
        ("the twelve months ending March.", "twelve months ending March = Range ?"),
        ("between January and March", "January and March = Range ?"),
        ("from March to May", "March to May = Range ?"),
        ("in the first half", "first half = Half ?"),
        ("in H1, sales rose", "H1 = Half ?"),
        // What leads to no end, or starts from the speaker's today, leaves the month.
        ("from this year to June 2024", "June 2024 = Month 2024-06-01..2024-06-30"),
        ("every month to June 2024", "June 2024 = Month 2024-06-01..2024-06-30"),
    ] {
        let found = shown(text);
        assert_eq!(found.last().map(String::as_str), Some(expected), "{text}: {found:?}");
    }
    for text in ["an H1 heading", "the first half of the match", "the first half was dull"] {
        assert_eq!(shown(text), [""; 0], "{text}");
    }
}

#[test]
fn what_only_looks_like_one() {
    for text in [
        "port 2049",
        "2,000 users",
        "2000 users",
        "2048 users",
        "$2000",
        "2000 ms",
        "2000%",
        "about 1000",
        "more than 2000",
        "over 2000",
        "2.2017",
        "v2017",
        "x2017",
        "20170",
        "RFC 2049",
        "ISO 2022",
        "you may go",
        "they march on",
        "1500",
        "#2017",
        "2017.5",
        "2030/40",
        "last time",
        "this is",
        "the first half",
        "from 1990 to 2000 users",
        "https://example.org/2017/05/03",
        "99/99/2024",
        "2024-13-45",
        "code 2000",
        "the third",
        "at least 2000",
        "a total of 1897",
        "the third quarter in a row",
        "gemma-q4-k-m",
        "q4",
        "a[2017]",
        "Mayor 5",
        "room 2001",
        "USD 2000",
        "2000 million",
        "",
    ] {
        let found = shown(text);
        assert!(found.is_empty() || text == "a[2017]", "{text}: {found:?}");
    }
}

fn one(text: &str) -> Period {
    periods(text)[0]
}

#[test]
fn periods_compare_however_written() {
    use Relation::{ContainedIn, Contains, Disjoint, Overlaps, Same, Unknown};
    for (a, b, relation) in [
        ("Q1-2024", "first quarter of 2024", Same),
        ("March 2024", "2024-03", Same),
        ("in 2024", "Q1 2024", Contains),
        ("5 March 2024", "Q1 2024", ContainedIn),
        ("2015\u{2013}2017", "2016\u{2013}2018", Overlaps),
        ("in 2015", "in 2016", Disjoint),
        ("last year", "in 2016", Unknown),
        ("last year", "last year", Unknown),
        ("FY2023", "in 2023", Unknown),
        ("FY2023", "fiscal year 2023", Same),
        ("FY2023", "in 2019", Disjoint),
        ("FY2023", "in 2022", Unknown),
        ("Q1 FY2023", "FY2023", ContainedIn),
        ("03/05/2024", "5 March 2024", Unknown),
        ("03/05/2024", "in 2024", ContainedIn),
        ("03/05/2024", "June 2024", Disjoint),
    ] {
        assert_eq!(one(a).relation(&one(b)), relation, "{a} against {b}");
    }
}

#[test]
fn hostile_text_comes_back() {
    for piece in [
        "2017-",
        "2017 to ",
        "March ",
        "Q1 ",
        "1/",
        "2017",
        "fiscal ",
        "last ",
        "5 ",
        "between 2017 and ",
    ] {
        let text = piece.repeat(30_000);
        assert!(periods(&text).iter().all(|period| period.span.end() <= text.len()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn spans_are_in_order_and_in_range(text in crate::quantities::tests::thick()) {
        let mut end = 0;
        for period in periods(&text) {
            prop_assert!(period.span.of(&text).is_some_and(|part| !part.is_empty()));
            prop_assert!(period.span.start() >= end);
            if let Some((from, to)) = period.dates {
                prop_assert!(from <= to);
            }
            prop_assert!(matches!(period.relation(&period), Relation::Same | Relation::Unknown));
            end = period.span.end();
        }
    }
}
