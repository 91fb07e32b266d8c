//! Texts with choices in them: `{a|b}` is one of two, `{#3-7}` a number, `<slot>` what it is given.

use super::dice::Dice;

/// The text with every choice made.
pub(crate) fn expand(text: &str, dice: &mut Dice) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((choice, tail)) = after.split_once('}') else {
            rest = after;
            break;
        };
        out.push_str(&chosen(choice, dice));
        rest = tail;
    }
    out.push_str(rest);
    out
}

fn chosen(choice: &str, dice: &mut Dice) -> String {
    if let Some((low, high)) = choice.strip_prefix('#').and_then(|range| range.split_once('-')) {
        let number = |text: &str| text.trim().parse::<u64>().unwrap_or(0);
        return dice.within(number(low), number(high)).to_string();
    }
    let choices: Vec<&str> = choice.split('|').collect();
    dice.pick(&choices).copied().unwrap_or_default().to_owned()
}

/// The text with its slots filled. A slot whose name begins with a capital gets its value with one.
pub(crate) fn fill(text: &str, slots: &[(&str, &str)]) -> String {
    let mut out = text.to_owned();
    for (name, value) in slots {
        out = out.replace(&format!("<{name}>"), value);
        out = out.replace(&format!("<{}>", capital(name)), &capital(value));
    }
    out
}

/// The text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// The text with a small first letter, for use inside a sentence; names keep theirs.
pub(crate) fn small(text: &str) -> String {
    const NAMES: [&str; 3] = ["Norfrakt", "Kubernetes", "Rust"];
    let after = text.split_once(' ').map_or("", |(_, after)| after);
    let author = after.starts_with('(') || after.starts_with("et al") || after.starts_with("v. ");
    let second = after.strip_prefix("and ").or(after.strip_prefix("& "));
    let pair = second.is_some_and(|two| two.starts_with(char::is_uppercase));
    let named = author || pair || NAMES.iter().any(|name| text.starts_with(name));
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !named => first.to_lowercase().collect::<String>() + letters.as_str(),
        _ => text.to_owned(),
    }
}
