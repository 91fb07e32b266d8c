//! The words that frames of an own view are made of.

/// What one holds, and what one holds it by.
pub(super) const HELD: &[&str] = &[
    "answer",
    "yes",
    "no",
    "vote",
    "ballot",
    "view",
    "views",
    "opinion",
    "case",
    "argument",
    "arguments",
    "reason",
    "reasons",
    "reasoning",
    "objection",
    "objections",
    "position",
    "stance",
    "conclusion",
    "estimate",
    "take",
    "proposal",
    "plan",
    "idea",
    "worry",
    "worries",
    "concern",
    "concerns",
    "doubt",
    "doubts",
    "recommendation",
    "verdict",
    "judgement",
    "judgment",
    "sum",
    "evidence",
    "premise",
    "assumption",
    "choice",
    "preference",
    "thesis",
    "claim",
    "assessment",
    "problem",
    "calculation",
];

/// Evidence, where it is compared: "better than my gate log".
pub(super) const EVIDENCE: &[&str] = &[
    "log",
    "figure",
    "figures",
    "number",
    "numbers",
    "data",
    "letter",
    "letters",
    "source",
    "sources",
    "count",
    "sample",
    "samples",
    "note",
    "notes",
    "list",
    "record",
    "records",
    "memory",
    "price",
    "example",
    "survey",
    "report",
    "table",
    "quote",
    "hours",
    "anecdote",
    "guess",
    "impression",
    "point",
];

/// What becomes of a view that is let go of.
pub(super) const LOST: &[&str] = &[
    "gone",
    "falls",
    "fell",
    "fails",
    "failed",
    "collapses",
    "collapsed",
    "solved",
    "answered",
    "moot",
    "weak",
    "weaker",
    "wrong",
    "hasty",
    "premature",
    "outdated",
    "obsolete",
    "mistaken",
    "met",
    "dead",
    "lost",
    "thin",
    "thinner",
    "overlooked",
    "ignored",
    "missed",
    "disappears",
    "vanishes",
    "dissolves",
    "crumbles",
    "void",
    "incomplete",
    "misplaced",
    "unfounded",
    "shallow",
    "poor",
    "naive",
    "rested",
];

/// What a view does that stands; it is given up where this is denied.
pub(super) const STANDS: &[&str] = &[
    "hold", "stand", "work", "survive", "good", "answer", "apply", "carry", "right", "sound",
    "enough", "last", "count", "convince",
];

/// To let go of something of one's own.
pub(super) const LETS_GO: &[&str] = &[
    "scratch",
    "strike",
    "forget",
    "withdraw",
    "drop",
    "retract",
    "cancel",
    "reverse",
    "delete",
    "discard",
    "cross",
    "scrap",
    "abandon",
    "correction",
    "reversal",
    "withdrawal",
    "rescind",
    "revoke",
];

/// To hold a view of one's own to less than it went.
pub(super) const LIMITS: &[&str] = &[
    "narrow", "restrict", "limit", "soften", "temper", "qualify", "moderate", "weaken", "confine",
];

/// To put a detail of one's own right.
pub(super) const CORRECTS: &[&str] = &["correct", "amend", "tweak", "adjust", "refine", "fix"];

/// To hold on to a view; whoever cannot lets go of it.
pub(super) const STANDS_BY: &[&str] = &["uphold", "sustain", "defend", "maintain"];

/// What was said, whoever it belongs to.
pub(super) const SAID: &[&str] = &[
    "claim",
    "statement",
    "recommendation",
    "conclusion",
    "assessment",
    "answer",
    "objection",
    "verdict",
    "estimate",
    "diagnosis",
    "theory",
    "hypothesis",
    "suggestion",
    "advice",
];

/// What makes a thing of one's own an earlier one.
pub(super) const BEFORE: &[&str] =
    &["earlier", "previous", "initial", "original", "first", "prior", "former"];

/// How words are that say the same with more care about it.
pub(super) const EXACT: &[&str] = &[
    "precise",
    "exact",
    "specific",
    "accurate",
    "precisely",
    "exactly",
    "specifically",
    "accurately",
];

/// In what one goes too far when one judges or says something.
pub(super) const EXCESS: &[&str] = &[
    "far",
    "quick",
    "quickly",
    "fast",
    "hasty",
    "hastily",
    "broad",
    "broadly",
    "strong",
    "strongly",
    "sweeping",
    "general",
    "generally",
    "categorical",
    "categorically",
    "absolute",
    "certain",
    "confident",
    "bluntly",
    "soon",
    "harsh",
    "harshly",
    "optimistic",
    "pessimistic",
    "simply",
];

/// What something does that is stronger than one's view.
pub(super) const OVERCOMES: &[&str] = &[
    "outweighs",
    "outweigh",
    "beats",
    "beat",
    "trumps",
    "trump",
    "kills",
    "kill",
    "sinks",
    "answers",
    "answered",
    "refutes",
    "overturns",
    "undoes",
    "defeats",
    "solves",
    "removes",
    "removed",
    "away",
    "meets",
    "ends",
    "disproves",
    "breaks",
    "topples",
    "overrules",
    "resolves",
    "resolved",
    "rebuts",
];

/// What makes a comparison one of weight, and not of size.
pub(super) const WEIGHTIER: &[&str] = &[
    "weighs",
    "weigh",
    "weight",
    "worth",
    "stronger",
    "better",
    "bigger",
    "heavier",
    "weightier",
    "counts",
    "count",
    "matters",
    "matter",
    "firmer",
    "sounder",
    "convincing",
    "solid",
    "reliable",
    "surer",
    "harder",
    "larger",
];

/// What denies.
pub(super) const DENIES: &[&str] = &[
    "not", "n't", "never", "nothing", "nobody", "no", "cannot", "can't", "doesn't", "isn't",
    "don't", "didn't", "hasn't", "haven't", "won't", "wasn't", "hardly", "neither", "without",
    "none",
];

/// What only supposes.
pub(super) const SUPPOSES: &[&str] =
    &["if", "unless", "whether", "would", "could", "might", "may", "should", "suppose", "until"];

/// Verbs of holding in the past.
pub(super) const HELD_THEN: &[&str] = &[
    "argued",
    "said",
    "voted",
    "answered",
    "wanted",
    "preferred",
    "leaned",
    "favoured",
    "favored",
    "proposed",
    "recommended",
    "advised",
    "backed",
    "supported",
    "opposed",
    "believed",
    "counted",
    "assumed",
    "trusted",
    "relied",
    "worried",
    "feared",
    "complained",
    "let",
    "gave",
    "spoke",
    "started",
    "began",
    "judged",
    "quoted",
    "wrote",
];

/// What follows "I was" where it names a view.
pub(super) const WAS: &[&str] = &[
    "for", "against", "only", "just", "looking", "asking", "counting", "thinking", "too",
    "worried", "opposed", "relying", "going", "afraid",
];

/// What something did to a speaker, or how it was of the speaker.
pub(super) const TURNED: &[&str] = &[
    "tipped",
    "tips",
    "decided",
    "decides",
    "decisive",
    "settled",
    "settles",
    "changed",
    "changes",
    "hasty",
    "careless",
    "rash",
    "premature",
    "wrong",
    "short-sighted",
    "narrow",
];

/// What says that a view stood on little.
pub(super) const LITTLE: &[&str] =
    &["only", "just", "alone", "merely", "too", "solely", "wrong", "sake", "decide"];
