//! From fields to a line that reads like one somebody wrote: `Unemployment rate of Qatar in
//! Q1-2024: 0.10 %; source: GCC-STAT`. That is the form `rebuttal-text` reads best.

use super::numbers::{Number, numbers, quoted};

/// What a finding is about, as given.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct About<'a> {
    pub(super) metric: Option<&'a str>,
    pub(super) entity: Option<&'a str>,
    pub(super) period: Option<&'a str>,
    pub(super) citations: &'a [String],
}

/// One finding as a line. `value` comes with its unit.
pub(super) fn line(text: Option<&str>, value: Option<&str>, about: About<'_>) -> String {
    let text = text.map(one_line);
    let said = text.as_deref().map(numbers).unwrap_or_default();
    let has = |number: &Number| said.iter().any(|other| other.agrees(*number));
    let value = value.map(one_line);
    let tells = |text: &str, value: &str| {
        let own = numbers(value);
        if own.is_empty() { text.contains(value) } else { own.iter().all(has) }
    };
    let mut line = match (text, value) {
        // The text gives the value already, in its own words.
        (Some(text), Some(value)) if tells(&text, &value) => labelled(&text, about),
        (Some(text), None) => labelled(&text, about),
        (text, value) => {
            let value = value.unwrap_or_default();
            let (head, figure) = (head(about), quoting(&value, about.citations).unwrap_or(&value));
            let figure = if head.is_empty() { figure.into() } else { format!("{head}: {figure}") };
            match text {
                Some(text) if text.ends_with(['.', '!', '?']) => format!("{text} {figure}"),
                Some(text) => format!("{text}. {figure}"),
                None => figure,
            }
        }
    };
    for citation in about.citations {
        if !line.contains(citation.as_str()) {
            line.push_str(&cited(citation));
        }
    }
    line
}

/// A citation that quotes this very value says it all; a second mention would be a second figure.
fn quoting<'a>(value: &str, citations: &'a [String]) -> Option<&'a str> {
    let bare = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let quotes = |quote: &&str| bare(quote) == bare(value) || measures(quote, value);
    let same = |citation: &&String| is_bracketed(citation) && quoted(citation).iter().any(&quotes);
    citations.iter().find(same).map(String::as_str)
}

/// True when the quote is the value with the unit that the field leaves out: `0.10%` of `0.1`.
fn measures(quote: &str, value: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let negative = |text: &str| text.trim_start().starts_with(['-', '−']);
    let unsigned = value.trim().trim_start_matches(['-', '+', '−']);
    let (quoted, own) = (numbers(quote), numbers(value));
    unsigned.chars().all(is_digit)
        && negative(quote) == negative(value)
        && matches!((quoted.as_slice(), own.as_slice()), ([quoted], [own]) if own.agrees(*quoted))
}

fn is_bracketed(citation: &str) -> bool {
    citation.starts_with('[') && citation.ends_with(']')
}

/// A text, after whatever it leaves out of what it is about.
fn labelled(text: &str, about: About<'_>) -> String {
    let lower = text.to_lowercase();
    let within = |words: &str| {
        words.split(' ').any(|word| word.len() > 2 && lower.contains(&word.to_lowercase()))
    };
    let metric = about.metric.filter(|metric| !within(&spaced(metric)));
    let entity = about.entity.filter(|entity| !lower.contains(&entity.to_lowercase()));
    let period = about.period.filter(|period| !lower.contains(&period.to_lowercase()));
    let head = head(About { metric, entity, period, ..about });
    if head.is_empty() { text.to_owned() } else { format!("{head}: {text}") }
}

/// `Unemployment rate of Qatar in Q1-2024`.
fn head(about: About<'_>) -> String {
    let metric = about.metric.map(spaced).unwrap_or_default();
    let lower = metric.to_lowercase();
    let mut head = capital(&metric);
    if let Some(entity) = about.entity.filter(|it| !lower.contains(&it.to_lowercase())) {
        let name = named(entity);
        head = if head.is_empty() { name } else { format!("{head} of {name}") };
    }
    if let Some(period) = about.period.filter(|it| !lower.contains(&it.to_lowercase())) {
        let leads = |word: &str| {
            ["as", "at", "by", "during", "from", "in", "on", "since", "until", "between"]
                .iter()
                .any(|lead| word.eq_ignore_ascii_case(lead))
        };
        let led = period.split(' ').next().is_some_and(leads);
        let between = if led { "" } else { "in " };
        let gap = if head.is_empty() { "" } else { " " };
        head = format!("{head}{gap}{between}{period}");
        head = if gap.is_empty() { capital(&head) } else { head };
    }
    head
}

fn cited(citation: &str) -> String {
    if is_bracketed(citation) {
        return format!(" {citation}");
    }
    // A source ends at a semicolon.
    format!("; source: {}", citation.replace(';', ","))
}

/// A citation on one line, without the word that it is one.
pub(super) fn citation(given: &str) -> String {
    let text = one_line(given);
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("per extraction") || lower.starts_with("extraction:") {
        return format!("[{text}]");
    }
    let lead = ["sources:", "source:"].into_iter().find(|lead| lower.starts_with(lead));
    let rest = lead.and_then(|lead| text.get(lead.len()..)).map(str::trim);
    rest.filter(|rest| !rest.is_empty()).map_or_else(|| text.clone(), str::to_owned)
}

/// A value with its unit: `0.10 %`, `$5`, `317.1 billion USD`.
pub(super) fn measured(value: &str, unit: Option<&str>) -> String {
    let value = value.trim();
    let unit = unit.map(|unit| unit.replace('_', " ")).unwrap_or_default();
    let unit = unit.trim();
    let bare =
        value.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+' | '−'));
    let none =
        ["number", "count", "none", "n/a", "-"].iter().any(|it| unit.eq_ignore_ascii_case(it));
    if unit.is_empty() || none || !bare {
        return value.to_owned();
    }
    match unit.to_ascii_lowercase().as_str() {
        "pct" | "percentage" | "percents" => return format!("{value} %"),
        _ => {}
    }
    if let Some(sign) = unit.chars().next().filter(|c| matches!(c, '$' | '€' | '£' | '¥')) {
        let rest = unit.get(sign.len_utf8()..).unwrap_or_default().trim_start();
        let (minus, digits) = match value.strip_prefix(['-', '−']) {
            Some(digits) => ("-", digits),
            None => ("", value),
        };
        return format!("{minus}{sign}{digits} {rest}").trim_end().to_owned();
    }
    match unit.split_once(' ') {
        // "USD billion", as the heads of tables have it.
        Some((money, scale)) if is_scale(scale) => format!("{value} {scale} {money}"),
        _ => format!("{value} {unit}"),
    }
}

fn is_scale(word: &str) -> bool {
    let word = word.trim_end_matches('s');
    ["thousand", "million", "billion", "trillion", "bn", "mn"]
        .iter()
        .any(|scale| word.eq_ignore_ascii_case(scale))
}

/// `unemployment_rate` and `unemploymentRate` as words.
pub(super) fn spaced(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for c in name.chars() {
        // A blank after it means that the capital is a name's: "share of iPhone".
        if c.is_uppercase() && after_small && !name.contains(' ') {
            words.push(' ');
            words.extend(c.to_lowercase());
        } else {
            words.push(if c == '_' || c.is_whitespace() { ' ' } else { c });
        }
        after_small = c.is_lowercase();
    }
    words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A line that begins with a small word begins with a capital.
fn capital(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if !first.is_empty() && first.chars().all(char::is_lowercase) {
        raised(text)
    } else {
        text.to_owned()
    }
}

/// A name given in small letters, written as a name.
fn named(entity: &str) -> String {
    let entity = one_line(&entity.replace('_', " "));
    if entity.chars().any(|c| !c.is_lowercase() && c != ' ') {
        return entity;
    }
    let word = |word: &str| match word {
        "of" | "the" | "and" => word.to_owned(),
        _ => raised(word),
    };
    entity.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn raised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

/// A text on one line, its blanks single.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_units() {
        for (value, unit, expected) in [
            ("0.10", "%", "0.10 %"),
            ("0.10", "pct", "0.10 %"),
            ("-5", "$", "-$5"),
            ("5", "€ million", "€5 million"),
            ("317.1", "USD_billion", "317.1 billion USD"),
            ("$317.1 billion", "USD", "$317.1 billion"),
            ("12", "count", "12"),
            ("200", "ms", "200 ms"),
        ] {
            assert_eq!(measured(value, Some(unit)), expected);
        }
    }

    #[test]
    fn names_become_words() {
        assert_eq!(spaced("qatar_unemployment_rate"), "qatar unemployment rate");
        assert_eq!(spaced("gdpGrowth"), "gdp growth");
        assert_eq!(spaced("share of iPhone"), "share of iPhone");
        assert_eq!(named("united arab emirates"), "United Arab Emirates");
        assert_eq!(named("GCC-STAT"), "GCC-STAT");
    }

    #[test]
    fn citations_on_one_line() {
        assert_eq!(citation("Per extraction: '1' from X"), "[Per extraction: '1' from X]");
        assert_eq!(citation("Source:\n World  Bank"), "World Bank");
        assert_eq!(citation("Source:"), "Source:");
    }

    #[test]
    fn a_citation_that_quotes_the_value_lends_its_unit() {
        let citations = ["[Per extraction: '0.10%' from GCC-STAT Q1-2024]".to_owned()];
        let about =
            About { metric: Some("jobless_rate"), citations: &citations, ..About::default() };
        let expected = "Jobless rate: [Per extraction: '0.10%' from GCC-STAT Q1-2024]";
        for value in ["0.10", "0.1", "0.10%", "0.10 %"] {
            assert_eq!(line(None, Some(value), about), expected);
        }
        for value in ["0.12", "-0.10", "0.10 years"] {
            let said = format!("Jobless rate: {value} {}", citations[0]);
            assert_eq!(line(None, Some(value), about), said);
        }
    }

    #[test]
    fn a_text_is_told_what_it_leaves_out() {
        let about =
            About { metric: Some("unemployment_rate"), entity: Some("Qatar"), ..About::default() };
        assert_eq!(
            line(Some("It fell to 3 %"), Some("3 %"), about),
            "Unemployment rate of Qatar: It fell to 3 %"
        );
        assert_eq!(
            line(Some("Unemployment in Qatar: 3 %."), Some("3 %"), about),
            "Unemployment in Qatar: 3 %."
        );
        assert_eq!(
            line(Some("A record low."), Some("3 %"), about),
            "A record low. Unemployment rate of Qatar: 3 %"
        );
    }
}
