//! The sentences reports are made of.
//!
//! `{Es}` is the owner (`Qatar's`, `its`), `{E}` the entity, `{in}` and `{for}` the entity behind a
//! preposition; `{M}` the metric, `{tM}` with `the` where it takes one, `{aM}` with `a`, `{cM}` only
//! where it is counted; `{was}`, `{is}`, `{stands}` agree with it; `{V}` the value; `{P}`, `{p}` and
//! `{inP}` the period, `{p}` short; `{S}` the source, `{s}` without its article; `{rose}` and
//! `{reached}` only where the direction is known. A `2` speaks of the second claim. A sentence behind
//! `!` takes plain numbers only.

/// One claim.
pub(crate) const ONE: &[&str] = &[
    // Nobody is cited.
    "{Es} {M} {was} {V} {inP}.",
    "{tM} {in} {was} {V} {inP}.",
    "{inP}, {Es} {M} {was} {V}.",
    "{inP}, {tM} {in} {was} {V}.",
    "{E} had {aM} of {V} {inP}.",
    "{inP}, {E} recorded {aM} of {V}.",
    "For {P}, we have {aM} of {V} {for}.",
    "With {aM} of {V} {inP}, {E} is part of this comparison.",
    "The figures for {P} show {aM} of {V} {for}.",
    "Looking at {E}, {tM} {was} {V} {inP}.",
    "{E} ({p}): {M} of {V}.",
    "{tM} {in} for {P} {was} {V}.",
    "{tM} {was} {V} {inP}.",
    "{inP}, {tM} {was} {V}.",
    "!{inP}, {tM} {in} stood at {V}.",
    "!{Es} {M} stood at {V} {inP}.",
    "!{tM} {in} came in at {V} {inP}.",
    "!{Es} {M} {reached} {V} {inP}.",
    "!{Es} {M} {rose} to {V} {inP}.",
    "!{inP}, {tM} {in} {rose} to {V}.",
    "!{V} was {cM} {in} {inP}.",
    "!At {V}, {Es} {M} {inP} {is} worth noting.",
    "!Our estimate of {Es} {M} for {P} is {V}.",
    "!{E}, {p}: {M} {V}.",
    "!We calculate that {tM} {in} {was} {V} {inP}.",
    "!{tM} stood at {V} {inP}.",
    // Somebody is.
    "According to {S}, {Es} {M} {was} {V} {inP}.",
    "According to {S}, {tM} {in} {was} {V} {inP}.",
    "{S} puts {Es} {M} at {V} for {P}.",
    "{Es} {M} {is} [Per extraction: '{V}' from {s} {p}].",
    "The review found {aM} of {V} {for} ({s}, {p}).",
    "{inP}, {tM} {in} {was} {V}, {S} reports.",
    "{Es} {M} {was} {V} {inP} ({s}).",
    "{S} gives {aM} of {V} {for} {inP}.",
    "Data from {S} show that {tM} {in} {was} {V} {inP}.",
    "!{tM} {in} stood at {V} {inP} [source: {s}].",
    "{s}, {p}: {Es} {M} {was} {V}.",
    "{Es} {M} for {P}: {V} (source: {s}).",
    "{inP}, {tM} {was} {V} ({s}).",
    // No time is named.
    "{Es} {M} {is} {V}.",
    "{tM} {in} {is} {V}.",
    "{E} has {aM} of {V}.",
    "We found {aM} of {V} {for}.",
    "With {aM} of {V}, {E} is part of this comparison.",
    "For {E}, {tM} {is} {V}.",
    "{tM} {is} {V}.",
    "!{tM} {in} {stands} at {V}.",
    "!At {V}, {Es} {M} {is} worth noting.",
    "!{V} is {cM} {in}.",
    "!{tM} {stands} at {V}.",
    "According to {S}, {Es} {M} {is} {V}.",
    "According to {S}, {tM} {in} {is} {V}.",
    "{S} puts {Es} {M} at {V}.",
    "{Es} {M} {is} {V} ({s}).",
    "{Es} {M} {is} [Per extraction: '{V}' from {s}].",
    "The review found {aM} of {V} {for} ({s}).",
    "{tM} {is} {V} ({s}).",
];

/// Two metrics of one entity at one time.
pub(crate) const TWO_METRICS: &[&str] = &[
    "{Es} {M} {was} {V} {inP}, and its {M2} {was2} {V2}.",
    "{inP}, {Es} {M} and {M2} were {V} and {V2}, respectively.",
    "{inP}, {E} had {aM} of {V} and {aM2} of {V2}.",
    "{inP}, {Es} {M} {was} {V}, while its {M2} {was2} {V2}.",
    "{Es} {M} {is} {V}, and its {M2} {is2} {V2}.",
    "{E} has {aM} of {V} and {aM2} of {V2}.",
    "{Es} {M} and {M2} are {V} and {V2}, respectively.",
];

/// One metric of two entities at one time.
pub(crate) const TWO_ENTITIES: &[&str] = &[
    "{inP}, {tM} {was} {V} {in} and {V2} {in2}.",
    "{Es} {M} {was} {V} {inP}, compared with {V2} {in2}.",
    "{inP}, {Es} {M} {was} {V}, against {V2} {for2}.",
    "{tM} {is} {V} {in} and {V2} {in2}.",
    "{Es} {M} {is} {V}, compared with {V2} {for2}.",
];

/// One metric of one entity at two times, the later first.
pub(crate) const TWO_PERIODS: &[&str] = &[
    "{Es} {M} {was} {V} {inP}, after {V2} {inP2}.",
    "{Es} {M} went from {V2} {inP2} to {V} {inP}.",
    "{tM} {in} {was} {V2} {inP2} and {V} {inP}.",
];

/// Names somebody for the sentences behind it.
pub(crate) const INTRODUCTIONS: &[&str] = &[
    "This part covers {E}.",
    "Consider {E}.",
    "{E} is the subject of this part.",
    "The next case is {E}.",
    "We looked at {E} in some detail.",
    "Turning to {E}, the records were complete.",
];

/// Opens a list of figures of one entity.
pub(crate) const HEADINGS: &[&str] = &[
    "## {H}\n",
    "Key figures for {E}:",
    "{H}",
    "{H}: key figures",
    "**{H}**",
    "### {H}",
    "Findings on {E}:",
    "# Report on {E}\n",
];

/// Headings where all figures are of one time.
pub(crate) const DATED_HEADINGS: &[&str] =
    &["## {H}, {p}\n", "{H} ({p})", "Key figures for {E}, {p}:", "{H} in {P}:", "**{H} - {p}**"];

/// One figure under a heading, behind its mark; the period may stand in the heading.
pub(crate) const LINES: &[&str] = &[
    "{M}: {V} ({p})",
    "{M} ({p}): {V}",
    "{M}, {p}: {V}",
    "{M} - {V}, {p}",
    "{M} = {V} ({p})",
    "{p}: {M} {V}",
    "{M}: {V} [{s}, {p}]",
    "{M}: {V} ({s}, {p})",
    "{M}: {V}",
    "{M} - {V}",
    "{M} = {V}",
    "**{M}**: {V}",
    "{M}: {V} ({s})",
    "{M}: {V} [{s}]",
];

/// One line of a table.
pub(crate) const ROWS: &[&str] = &["| {M} | {V} | {p} |", "| {M} | {V} |"];

/// Sentences that say nothing that could be wrong.
pub(crate) const FILLERS: &[&str] = &[
    "The method is described in the annex.",
    "All figures come from published tables.",
    "We thank the reviewers for their comments.",
    "The usual caveats apply.",
    "This note was prepared for the steering group.",
    "Details are in the appendix.",
    "The scope was agreed with the client beforehand.",
    "Definitions follow the handbook.",
    "The tables were checked by hand.",
    "More context is given below.",
    "Readers in a hurry may skip to the end.",
    "The wording follows the source.",
    "Nothing here is investment advice.",
    "The team met with several experts.",
    "We use the same notation throughout.",
    "As always, context matters.",
    "The question came up in the last meeting.",
    "This is a summary for a general audience.",
    "Here is what we found.",
    "The background is well known.",
    "Other topics are left to a later note.",
    "We come back to this in the conclusion.",
    "The sample and the weights are documented elsewhere.",
    "Comments are welcome.",
    "The full data set is available on request.",
    "Charts are in a separate file.",
    "We read the footnotes as well.",
    "The reasons are discussed in the literature.",
    "It helps to keep the definitions in mind.",
];

/// Sentences with numbers that are no values, each of the report it stands in.
pub(crate) const NUMBERED: &[&str] = &[
    "See section {N}.{N} for the method.",
    "Table {N} has the details [{N}].",
    "This is version {N}.{N} of the note.",
    "The definitions are on page {N}.",
    "Last edited on 12 March 2025.",
    "Printed on 3 June 2025 in building {N}.",
    "Footnote {N} explains the rounding.",
    "Figure {N} repeats this as a chart.",
    "Chapter {N} gives the background [{N}, {N}].",
    "Ticket {N}{N}{N} tracks the open questions.",
    "People aged 15 to 64 are counted, as in most surveys.",
    "The exporter listens on port 9090.",
    "The process is certified to ISO 27001.",
];

/// Sentences that name a metric beside a number that is not its value.
pub(crate) const MENTIONS: &[&str] = &[
    "Section {N}.{N} is about {Es} {M}.",
    "{Es} {M} {is} discussed on page {N}.",
    "Table {N} lists {tM} {for} {inP}.",
    "Slide {N} shows {Es} {M}.",
    "How {tM} {in} {is} measured is explained in note {N}.",
    "For {Es} {M}, see reference [{N}].",
    "Ticket {N}{N}{N} asks for {tM} {for}.",
    "{Es} {M} {is} the topic of chapter {N}.",
    "Version {N}.{N} of this note left out {Es} {M}.",
];
