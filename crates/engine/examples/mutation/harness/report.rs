//! The page: what was planted, what was seen, what was done, and what keyword rules reach.

use std::fmt::Write as _;

use super::sight::Sight;
use super::tally::{ALARMS_MOST, KILLS_LEAST, KindRow, Measured, Row, Share};
use super::{Ran, Written};

/// The page in Markdown.
pub(crate) fn page(measured: &Measured, batches: &[Written; 2], seeds: u64) -> String {
    let mut out = String::new();
    opening(&mut out, measured, seeds);
    registers(&mut out, batches);
    faults(&mut out, measured);
    healthy(&mut out, measured);
    tools(&mut out, measured);
    keywords(&mut out, measured);
    course(&mut out, measured);
    matrix(&mut out, measured);
    out
}

fn opening(out: &mut String, measured: &Measured, seeds: u64) {
    let kinds = (measured.faults.len(), measured.healthy.len());
    let panels = (kinds.0 as u64 * seeds, kinds.1 as u64 * seeds);
    writeln!(
        out,
        "# The mutation score\n\n\
         How often the trickster is right. {} kinds of faults and {} kinds of sound panels, {seeds} \
         variations of each, {} and {} debates in all, run by the real engine with scripted agents and \
         the default protocol; each once more with the trickster off. `cargo xtask mutation-score` \
         writes this page.\n\n\
         A fault is *killed* when the trickster does something about it that it should, or the finding \
         it deserves (a silent flip, an order to others) is raised against an agent. By the same measure \
         an *alarm* is a sound panel that is stepped into, or in which such a finding is raised. A fault \
         is *seen* when a detector that should see it fires, whether or not anything comes of it. A kill \
         counts by what was done, not by the reason given for it, so more can be killed than seen. \
         Intervals are Wilson's, 95 %.\n\n\
         The even seeds are for development. The odd ones are held out: all their wordings and all their \
         fields (transport, insurance, software security, water supply, museums) are their own. These \
         texts were written after the detectors' earlier tuning, by someone who knew the kinds of faults \
         and the older texts but had not read the detectors, and only its totals, in all and by kind, were looked at, \
         seven times: when all that the older texts showed was mended (88.9 % killed, 5.6 % alarms), at \
         the end of that work (90.4 %, 4.2 %), after the panels of the next section were mended for \
         (88.9 %, 3.3 %, with 36 % of planted orders found), after orders were looked for in \
         40 wordings written for that (90.7 %, 3.3 %), and three times when gaps were looked for in other words and more \
         ways to own up to a change were known (90.7 % each time; 1.3 %, 1.3 % and 0.9 %, the last of which stands here). In between, three fields and as many wordings again were written by somebody else who had \
         not read the detectors; the first run on those killed 87.8 % at 20.0 % alarms, which is the \
         figure for people who write quite differently, and they are development texts since.\n",
        kinds.0, kinds.1, panels.0, panels.1
    )
    .ok();
    *out += "| | development | held out | wanted |\n|---|---|---|---|\n";
    let least = format!("≥ {:.0} %", KILLS_LEAST * 100.0);
    let most = format!("≤ {:.0} %", ALARMS_MOST * 100.0);
    total(out, "faults killed", measured.killed, &least);
    total(out, "faults seen", measured.seen, "");
    total(out, "sound panels stepped into", measured.stepped_in, &most);
    total(out, "sound panels with any alarm", measured.alarmed, &most);
    let [_, killed] = measured.killed;
    let [_, alarmed] = measured.alarmed;
    let short = (KILLS_LEAST - killed.value()) * 100.0;
    let over = (alarmed.value() - ALARMS_MOST) * 100.0;
    if short > 0.0 {
        write!(out, "\nKills of the held-out half are {short:.1} points short of what is wanted.")
            .ok();
    }
    if over > 0.0 {
        write!(out, "\nAlarms of the held-out half are {over:.1} points above what is wanted.")
            .ok();
    }
    *out += "\n\n";
}

/// The panels that were written out whole.
fn registers(out: &mut String, [first, second]: &[Written; 2]) {
    writeln!(
        out,
        "## People who write differently\n\n\
         The panels above are put together from parts, so that whoever wrote the parts speaks in all of \
         them. These are written out whole, in ten registers (notes of engineers, legal memos, charts, \
         chat of traders, academic prose, lists, field notes, newspapers, English as a second language, \
         tables), by somebody who had read this page and that of the trickster, but not the rules of evidence. The first batch was run before \
         anything was mended for it, and is for development since. The second was written at the same \
         time and first run when that was done: 93.5 % killed, 10.0 % alarms. The rules of before had 93.5 % and 56.7 %.\n\n\
         | | first batch, first run | first batch, now | second batch, now |\n|---|---|---|---|"
    )
    .ok();
    writeln!(out, "| faults killed | 96.7 % (59 of 61) | {} | {} |", killed(first), killed(second))
        .ok();
    writeln!(
        out,
        "| sound panels with any alarm | 45.9 % (28 of 61) | {} | {} |\n",
        alarmed(first),
        alarmed(second)
    )
    .ok();
}

fn total(out: &mut String, name: &str, [shown, held_out]: [Share; 2], wanted: &str) {
    writeln!(out, "| {name} | {} | {} | {wanted} |", whole(shown), whole(held_out)).ok();
}

fn faults(out: &mut String, measured: &Measured) {
    *out += "## Faults\n\n\
             | fault | what its agents do | killed, development | killed, held out | seen, development | seen, held out |\n\
             |---|---|---|---|---|---|\n";
    for row in &measured.faults {
        kind(out, row);
    }
    out.push('\n');
}

fn healthy(out: &mut String, measured: &Measured) {
    *out += "## Sound panels\n\n\
             | kind | what its agents do | alarms, development | alarms, held out | any detector fired, development | held out |\n\
             |---|---|---|---|---|---|\n";
    for row in &measured.healthy {
        kind(out, row);
    }
    out.push('\n');
}

fn kind(out: &mut String, row: &KindRow) {
    let [killed, killed_held_out] = row.killed.map(short);
    let [seen, seen_held_out] = row.seen.map(short);
    writeln!(
        out,
        "| {} | {} | {killed} | {killed_held_out} | {seen} | {seen_held_out} |",
        row.name, row.what
    )
    .ok();
}

fn tools(out: &mut String, measured: &Measured) {
    *out += "## Each detector and each intervention\n\n\
             *Kills* are of the faults that name it among what should see or meet them; several may, and \
             one is enough. *Alarms* are sound panels in which it fired, whether or not anything was done \
             about it.\n\n\
             | | kills, development | kills, held out | alarms, development | alarms, held out | panels in which it fired |\n\
             |---|---|---|---|---|---|\n";
    for row in &measured.detectors {
        tool(out, "detector", row);
    }
    for row in &measured.acts {
        tool(out, "intervention", row);
    }
    out.push('\n');
}

fn tool(out: &mut String, what: &str, row: &Row) {
    let shown = |share: Share| if share.all == 0 { "–".to_owned() } else { whole(share) };
    let [kills, kills_held_out] = row.kills.map(shown);
    let [alarms, alarms_held_out] = row.alarms.map(shown);
    writeln!(
        out,
        "| {what}: {} | {kills} | {kills_held_out} | {alarms} | {alarms_held_out} | {} |",
        row.name, row.fired
    )
    .ok();
}

fn keywords(out: &mut String, measured: &Measured) {
    writeln!(
        out,
        "## What keyword rules reach\n\n\
         The same debates by rules that count words. The seed's method scores evidence by keywords and \
         likeness by shared words; below it stands every figure of its kind, with the cut that kills most \
         at no more than {:.0} % alarms in the development half.\n\n\
         | rule | killed, development | killed, held out | alarms, development | alarms, held out |\n\
         |---|---|---|---|---|",
        ALARMS_MOST * 100.0
    )
    .ok();
    for reached in &measured.keywords {
        let [(kills, alarms), (kills_held_out, alarms_held_out)] = reached.halves;
        writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            reached.rule,
            whole(kills),
            whole(kills_held_out),
            whole(alarms),
            whole(alarms_held_out)
        )
        .ok();
    }
    out.push('\n');
}

fn course(out: &mut String, measured: &Measured) {
    let course = measured.course;
    writeln!(
        out,
        "## Whether it changes the course\n\n\
         Of the faulty panels that were stepped into, {} went another way than the same panel with the \
         trickster off: other rounds or another decision. In every other faulty panel the agents listen \
         to a challenge and bring evidence; among those stepped into, evidence was better at the end than \
         after the blind round in {}, and in {} of those whose agents do not listen.\n",
        whole(course.turned),
        whole(course.better),
        whole(course.stubborn)
    )
    .ok();
}

fn matrix(out: &mut String, measured: &Measured) {
    *out += "## What each detector saw, kind by kind\n\nPercent of the panels, both halves.\n\n| kind |";
    for sight in Sight::ALL {
        write!(out, " {} |", sight.name()).ok();
    }
    *out += "\n|---|";
    *out += &"---|".repeat(Sight::ALL.len());
    out.push('\n');
    for row in measured.faults.iter().chain(&measured.healthy) {
        write!(out, "| {} |", row.name).ok();
        for share in &row.sights {
            write!(out, " {:.0} |", share.value() * 100.0).ok();
        }
        out.push('\n');
    }
}

/// What the panels of a batch came to, in two lines.
pub(crate) fn written(written: &Written) -> String {
    let (killed, alarmed) = (killed(written), alarmed(written));
    format!("faults killed {killed}\nsound panels with any alarm {alarmed}\n")
}

fn killed(written: &Written) -> String {
    whole(Share::of(written.faults.iter().map(Ran::is_killed)))
}

fn alarmed(written: &Written) -> String {
    whole(Share::of(written.sound.iter().map(Ran::is_alarmed)))
}

/// `92.0 % (414 of 450; 89.1–94.2)`.
fn whole(share: Share) -> String {
    let (low, high) = share.interval();
    format!(
        "{:.1} % ({} of {}; {:.1}–{:.1})",
        share.value() * 100.0,
        share.hits,
        share.all,
        low * 100.0,
        high * 100.0
    )
}

/// `92 % (23 of 25)`.
fn short(share: Share) -> String {
    format!("{:.0} % ({} of {})", share.value() * 100.0, share.hits, share.all)
}
