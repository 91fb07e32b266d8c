"""Writes what the `tokenizers` library gives for texts of every kind: the fixture of wordpiece.rs.

    python training/wordpiece_fixture.py <folder of all-MiniLM-L6-v2> \
        crates/semantics/tests/data/wordpiece.json
"""

import json
import sys
from pathlib import Path

from tokenizers import Tokenizer

TEXTS = [
    "",
    " ",
    "\t\r\n \u00a0\u2003",
    "The committee should not approve this proposal.",
    "Don't; can't -- won't... \"quoted\" 'single' (brackets) [more] {all}",
    "I don\u2019t think it\u2019s \u201cfair\u201d \u2014 or is it \u2013 really\u2026?",
    "Antidisestablishmentarianism and floccinaucinihilipilification are unaffable words",
    "GDP grew by 3.14159% in 2023-24, i.e. $1,234,567.89 or \u20ac5m / \u00a32bn / \u00a5300",
    "See https://example.org/a/b?c=d&e=%20f#top or mail me@example.com (v1.2.3-rc.1)",
    "fn main() { let x: Vec<u8> = vec![0; 10]; println!(\"{x:?}\"); } // #[derive(Debug)]",
    "if a_b != c && d->e == 0x1F || ~f ^ g % h: return `sql` @ 'x' | $PATH * \\n",
    "na\u00efve caf\u00e9 r\u00e9sum\u00e9 \u00c5ngstr\u00f6m \u0130stanbul \u0131\u015f\u0131k stra\u00dfe STRASSE \u1e9e",
    "nai\u0308ve cafe\u0301 A\u030angstro\u0308m q\u0307\u0323 q\u0323\u0307",
    "La r\u00e9ponse n'est pas s\u00fbre, mais l'\u0153uvre est l\u00e0.",
    "\u00bfD\u00f3nde est\u00e1 la biblioteca? \u00a1Ma\u00f1ana!",
    "Die Bundesregierung lehnt \u00fcberm\u00e4\u00dfige Ma\u00dfnahmen ab.",
    "\u041c\u044b \u043d\u0435 \u0441\u043e\u0433\u043b\u0430\u0441\u043d\u044b \u0441 \u044d\u0442\u0438\u043c \u0440\u0435\u0448\u0435\u043d\u0438\u0435\u043c. \u0419\u043e\u0433\u0443\u0440\u0442 \u0451\u043b\u043a\u0430",
    "\u0394\u03b5\u03bd \u03c3\u03c5\u03bc\u03c6\u03c9\u03bd\u03ce \u039f\u0394\u039f\u03a3 \u03cc\u03c2",
    "\u6211\u4eec\u4e0d\u540c\u610f\u8fd9\u4e2a\u51b3\u5b9a\u3002abc\u4e2d\u6587def\uff0c\u5168\u89d2\uff21\uff22\uff23\uff11",
    "\u79c1\u306f\u8cdb\u6210\u3057\u307e\u305b\u3093\u3002\u30c7\u30fc\u30bf\u30d9\u30fc\u30b9\u306f\u304c\u304e",
    "\ub3d9\uc758\ud558\uc9c0 \uc54a\uc2b5\ub2c8\ub2e4. \ud55c\uad6d\uc5b4",
    "\u0644\u0627 \u0623\u0648\u0627\u0641\u0642 \u0639\u0644\u0649 \u0647\u0630\u0627 \u0627\u0644\u0642\u0631\u0627\u0631\u060c \u0648\u064e\u0627\u0644\u0644\u0651\u064e\u0647\u061f",
    "\u05d0\u05e0\u05d9 \u05dc\u05d0 \u05de\u05e1\u05db\u05d9\u05dd \u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
    "\u092e\u0948\u0902 \u0907\u0938\u0938\u0947 \u0938\u0939\u092e\u0924 \u0928\u0939\u0940\u0902 \u0939\u0942\u0901\u0964 \u0915\u094d\u0937\u093f",
    "\u0e09\u0e31\u0e19\u0e44\u0e21\u0e48\u0e40\u0e2b\u0e47\u0e19\u0e14\u0e49\u0e27\u0e22 Ti\u1ebfng Vi\u1ec7t \u0111\u01b0\u1ee3c kh\u00f4ng?",
    "\U0001f600 ok \U0001f44d\U0001f3fd \U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f\U0001f1e9\U0001f1ea done\U0001f389!",
    "zero\u200bwidth\u200djoin \u202eright-to-left\u202c soft\u00adhyphen \ufeffbom",
    "nul\x00bell\x07esc\x1b[31m del\x7f next\u0085line form\x0cfeed vt\x0btab\tend",
    "private\ue000use replacement\ufffdchar noncharacter\uffff",
    "\u2028line\u2029paragraph\u3000ideographic\u1680ogham\u180emongolian\u205f\u202f",
    "x\u00b2 + y\u00b3 = \u00bd \u2153 \u2460 \u2167 \u2122 \u00ae \u00a9 \u221e \u2260 \u2264 \u00b1 \u00d7 \u00f7 \u03c0 \u00b5m \u212b \u2126",
    "\ufb01ne \ufb02ow \u0132 \u01c4 \u1f88 \u1e00 \u2126 \u212a \uf900",
    "\uf900\ufa0e\U0002f800\U00020000\U0002b820\U0002a6df\u3400",
    "a" * 99,
    "a" * 100,
    "a" * 101,
    "\u00e9" * 100 + " " + "\u00e9" * 101 + " after",
    "e" + "\u0301" * 150 + "tude",
    "unaffable" * 11 + " unaffable" * 3,
    "\U0001f600" * 100 + " x",
    "[CLS] hello [SEP] world [MASK] [UNK] [PAD] ##ing ## # [unused1]",
    "CamelCaseIdentifier snake_case_identifier SCREAMING_CASE kebab-case-name",
    "10,000 10.000 1e-5 1/2 50% #1 @user 3rd 21st 1980s 5'11\" 20\u00b0C 12:34:56",
    "\u302e\u302f\U0001d165\U0001d16d\U0001d165 \u0301a\u0300\u302ea",
    "\u3099\u302e\x00\u0323\u302ab \U0001d16e\x01\U0001d165c",
    "\u0f71\u0f72\u0f74 \u0f77 \u0f43 \u0958 \u09cb \u1100\u1161\u11a8",
    "...!!!???---***___===~~~///",
    "\u00a1\u00a7\u00b6\u00b7\u00bb\u055a\u05be\u061b\u0964\u2e2e\u300c\ufe30\uff0c\U00010100",
    "one\ntwo\r\nthree\rfour\x85five",
]


def main() -> None:
    tokenizer = Tokenizer.from_file(str(Path(sys.argv[1]) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # What somebody wrote is never structure: "[SEP]" in a text is three pieces.
    tokenizer.encode_special_tokens = True
    rows = [
        {"text": text, "ids": tokenizer.encode(text, add_special_tokens=False).ids}
        for text in TEXTS
    ]
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    Path(sys.argv[2]).write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
