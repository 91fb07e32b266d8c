//! Digits that are no quantity: versions, addresses, clock times, phone numbers, markers, names.

use super::look::Look;

/// Longest run of digits and separators that is looked into; longer ones are skipped whole.
const RUN_BYTES_MAX: usize = 64;
/// Longest phone number, with its blanks and brackets.
const PHONE_BYTES_MAX: usize = 24;
/// Most bytes of quoting, bullets and heading marks before a list marker.
const PREFIX_BYTES_MAX: usize = 8;

/// Where to go on when the digits at `at` are no quantity.
pub(super) fn skip(look: Look<'_>, at: usize) -> Option<usize> {
    glued(look, at)
        .or_else(|| numbered(look, at))
        .or_else(|| separated(look, at))
        .or_else(|| phone(look, at))
        .or_else(|| list_marker(look, at))
        .or_else(|| bracketed(look, at))
}

/// Digits that hang on to something before them: `GPT-4`, `#12`, `/v2/7`, `x_1`.
fn glued(look: Look<'_>, at: usize) -> Option<usize> {
    let before = look.byte_before(at);
    let further = at.checked_sub(2).map_or(0, |further| look.byte(further));
    let hangs = look.is_glued_before(at)
        || match before {
            b'#' | b'@' | b'\\' | b'^' | b'&' | b'/' => true,
            b'-' | b'.' | b'+' => {
                further.is_ascii_alphanumeric() || matches!(further, b'_' | b')' | b']')
            }
            b':' => further.is_ascii_digit() || further == b':',
            _ => false,
        };
    hangs.then(|| look.run_end(at))
}

/// Digits that number a thing: `007`, and the `2503.13657` of a paper on arXiv.
fn numbered(look: Look<'_>, at: usize) -> Option<usize> {
    if look.byte(at) == b'0' && look.byte(at + 1).is_ascii_digit() {
        return Some(look.run_end(at));
    }
    let is_month = look.number(at, 4).is_some_and(|month| {
        (7..=40).contains(&(month / 100)) && (1..=12).contains(&(month % 100))
    });
    let end = at + 10;
    let is_paper = is_month && look.byte(at + 4) == b'.' && look.number(at + 5, 5).is_some();
    (is_paper && !look.is_glued(end) && super::units::unit_after(look, end).is_none())
        .then_some(end)
}

/// Digits in more parts than a number has: `1.2.3`, `10:30`, `2024-03-05`, `1/2/3`.
fn separated(look: Look<'_>, at: usize) -> Option<usize> {
    let (mut dots, mut hyphens, mut slashes, mut colons, mut digits) = (0, 0, 0, 0, 0);
    let mut end = at;
    loop {
        let byte = look.byte(end);
        match byte {
            b'0'..=b'9' => digits += 1,
            _ if !look.byte(end + 1).is_ascii_digit() => break,
            b'.' => dots += 1,
            b':' => colons += 1,
            // Each side of a range or fraction may have a decimal point of its own.
            b'-' | b'/' if dots < 2 => {
                dots = 0;
                hyphens += usize::from(byte == b'-');
                slashes += usize::from(byte == b'/');
            }
            b',' | b'-' | b'/' => {}
            _ => break,
        }
        end += 1;
        if end - at > RUN_BYTES_MAX {
            return Some(numeric_end(look, end));
        }
    }
    let odd = dots > 1 || hyphens > 1 || slashes > 1 || colons > 0 || digits > 40;
    // `1.x` is a version too.
    let is_open = look.byte(end) == b'.' && look.byte(end + 1) == b'x' && !look.is_glued(end + 2);
    (odd || is_open).then_some(end)
}

/// Where a run of digits and separators ends. Unbounded: skip over it.
fn numeric_end(look: Look<'_>, at: usize) -> usize {
    let is_numeric = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b',' | b':' | b'-' | b'/');
    let rest = look.rest(at).as_bytes();
    at + rest.iter().position(|&byte| !is_numeric(byte)).unwrap_or(rest.len())
}

/// `+1 555 123 4567`, `(555) 123-4567`, `555-1234`.
fn phone(look: Look<'_>, at: usize) -> Option<usize> {
    let first = look.digits(at, 4);
    let second_at = at + first + 1;
    let separator = look.byte(at + first);
    let second = look.digits(second_at, 4);
    let third_at = second_at + second + 1;
    match look.byte_before(at) {
        b'+' if first <= 3 && matches!(separator, b' ' | b'-') && second >= 2 => {
            let is_part =
                |byte: u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b'(' | b')');
            let part =
                look.rest(at).bytes().take(PHONE_BYTES_MAX).take_while(|&byte| is_part(byte));
            let (len, digits) = part.fold((0, 0), |(len, digits), byte| {
                (len + 1, digits + usize::from(byte.is_ascii_digit()))
            });
            (digits >= 8).then_some(at + len)
        }
        b'(' if first == 3 && separator == b')' => {
            let rest = look.blanks(second_at);
            let is_phone = look.digits(rest, 3) == 3
                && matches!(look.byte(rest + 3), b'-' | b' ')
                && look.digits(rest + 4, 4) == 4;
            is_phone.then_some(rest + 8)
        }
        _ if first == 3 && second == 3 && matches!(separator, b' ' | b'-') => {
            let is_phone = look.byte(third_at - 1) == separator && look.digits(third_at, 4) == 4;
            is_phone.then_some(third_at + 4)
        }
        _ if first == 3 && separator == b'-' && second == 4 => {
            let end = second_at + 4;
            let has_unit = super::units::unit_after(look, end).is_some()
                || super::context::noun_after(look, end).is_some();
            (!has_unit).then_some(end)
        }
        _ => None,
    }
}

/// `1.` and `2)` at the start of a line, `(3)` anywhere.
fn list_marker(look: Look<'_>, at: usize) -> Option<usize> {
    let count = look.digits(at, 3);
    let end = at + count;
    if count > 3 {
        return None;
    }
    if look.byte_before(at) == b'(' && look.byte(end) == b')' && count <= 2 {
        return Some(end);
    }
    let closes = matches!(look.byte(end), b'.' | b')')
        && matches!(look.byte(end + 1), b' ' | b'\t' | b'\n' | 0);
    (closes && starts_line(look, at)).then_some(end)
}

fn starts_line(look: Look<'_>, at: usize) -> bool {
    for back in 1..=PREFIX_BYTES_MAX {
        match at.checked_sub(back).map(|before| look.byte(before)) {
            None | Some(b'\n') => return true,
            Some(b' ' | b'\t' | b'#' | b'>' | b'*' | b'-' | b'(') => {}
            Some(_) => return false,
        }
    }
    false
}

/// `[1]`, `[1, 2]`, `[3-5]`: a note, not a number.
fn bracketed(look: Look<'_>, at: usize) -> Option<usize> {
    matches!(look.byte_before(at), b'[').then_some(())?;
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b' ' | b',' | b'-' | b';');
    let len = (0..PHONE_BYTES_MAX).find(|&n| !is_part(look.byte(at + n)))?;
    (look.byte(at + len) == b']' || look.rest(at + len).starts_with('\u{2013}')).then_some(at + len)
}
