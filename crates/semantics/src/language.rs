//! Is this English? Every model here was trained on English and answers anything else with
//! confidence it has not earned.
//!
//! Counting, no model: which scripts the letters belong to, and whose function words ("the", "der",
//! "les") the words are. Function words are a third of any prose and hardly shared between languages,
//! so a sentence is enough.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Whether a text is what the models were trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trust {
    /// English: the models' answers mean what they were measured to mean.
    English,
    /// Another language: answers have low trust.
    NotEnglish,
    /// Words, but too few to tell.
    TooShort,
    /// No words at all: code, figures, emoji, links.
    NoWords,
}

impl Trust {
    /// Whether an answer about this text has to say that it may be worth nothing.
    pub fn is_low(self) -> bool {
        matches!(self, Self::NotEnglish | Self::NoWords)
    }

    /// Reads no more than the first few thousand words: a text that long has shown its language.
    pub fn of(text: &str) -> Self {
        Counts::of(text).judge()
    }
}

const MOST_BYTES: usize = 16 * 1024;
/// Below this, one name or one loan word would decide.
const FEW_WORDS: u32 = 5;
/// Up to this many words, a headline without a single function word is undecided, not foreign.
const HEADLINE: u32 = 14;
/// An ideograph or syllable says about as much as three letters.
const SYLLABLE: u32 = 3;

#[derive(Debug, Default)]
struct Counts {
    words: u32,
    english: u32,
    /// Function words by language, in the order of [`FOREIGN`].
    foreign: [u32; FOREIGN.len()],
    latin_letters: u32,
    accented_letters: u32,
    other_letters: u32,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts = Self::default();
        let mut fenced = false;
        let mut word = String::new();
        for line in head(text).lines() {
            if line.trim_start().starts_with("```") {
                fenced = !fenced;
            } else if !fenced && (!is_code(line) || Self::reads_english(line, &mut word)) {
                counts.line(line, &mut word);
            }
        }
        counts
    }

    /// Whether a line full of symbols is prose after all: `<A> it's nice <B> yeah it is`.
    fn reads_english(line: &str, word: &mut String) -> bool {
        let mut counts = Self::default();
        counts.line(line, word);
        counts.judge() == Trust::English
    }

    fn line(&mut self, line: &str, word: &mut String) {
        for chunk in line.split_whitespace() {
            self.chunk(chunk, word);
        }
    }

    /// One stretch between spaces: words joined by hyphens and slashes, unless a digit or a symbol
    /// says it is a name, a path or a formula.
    fn chunk(&mut self, chunk: &str, word: &mut String) {
        let chunk = chunk.trim_matches(|c: char| !c.is_alphanumeric());
        if chunk.contains(|c: char| c.is_ascii_digit() || "_@=<>{}()[]\\$`|".contains(c))
            || chunk.contains("://")
            || chunk.starts_with("www.")
        {
            return;
        }
        for part in chunk.split(|c: char| !c.is_alphabetic() && !is_inside(c)) {
            self.word(part, word);
        }
    }

    fn word(&mut self, part: &str, word: &mut String) {
        let (mut latin, mut other) = (0, 0);
        word.clear();
        for c in part.chars() {
            match c {
                'a'..='z' | 'A'..='Z' => latin += 1,
                '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                    latin += 1;
                    self.accented_letters += 1;
                }
                c if is_syllable(c) => other += SYLLABLE,
                c if c.is_alphabetic() => other += 1,
                _ => {}
            }
            word.extend(if c == '\u{2019}' { '\'' } else { c }.to_lowercase());
        }
        self.latin_letters += latin;
        self.other_letters += other;
        if latin + other == 0 {
            return;
        }
        self.words += 1;
        let Some(&languages) = FUNCTION_WORDS.get(word.as_str()) else { return };
        self.english += languages & 1;
        for (at, count) in self.foreign.iter_mut().enumerate() {
            *count += languages >> (at + 1) & 1;
        }
    }

    fn judge(&self) -> Trust {
        let letters = self.latin_letters + self.other_letters;
        if letters == 0 {
            return Trust::NoWords;
        }
        if self.other_letters * 2 > letters {
            return if self.other_letters < FEW_WORDS {
                Trust::TooShort
            } else {
                Trust::NotEnglish
            };
        }
        if self.words < FEW_WORDS {
            return Trust::TooShort;
        }
        let foreign = self.foreign.iter().copied().max().unwrap_or(0);
        let accented = self.accented_letters * 33 > letters;
        let (english, words) = (self.english, self.words);
        let is_foreign = foreign > english && foreign * 8 >= words && (foreign > 1 || english == 0);
        if is_foreign && (foreign > 1 || accented) {
            Trust::NotEnglish
        } else if english * 10 >= words || (english > 0 && english * 20 >= words && !accented) {
            Trust::English
        } else if words > HEADLINE || (accented && english == 0) {
            Trust::NotEnglish
        } else {
            Trust::TooShort
        }
    }
}

/// The start of a text, on a character boundary.
fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MOST_BYTES)).unwrap_or(text)
}

/// What may stand inside a word.
fn is_inside(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}') || ('\u{300}'..='\u{36f}').contains(&c)
}

/// Scripts whose letters are syllables or words.
fn is_syllable(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// A line that is more symbols than prose can be.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    let symbols = line.chars().filter(|c| "{}()[]<>=;_/\\|&*#$+`".contains(*c)).count();
    let others = line.chars().filter(|c| !c.is_whitespace()).count();
    line.ends_with(['{', '}', ';']) && symbols > 1 || symbols > 2 && symbols * 8 > others
}

/// Which languages a word is a function word of: bit 0 English, then [`FOREIGN`] in order.
static FUNCTION_WORDS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, u32> = HashMap::new();
    for (at, words) in std::iter::once(&ENGLISH).chain(&FOREIGN).enumerate() {
        for word in words.split_ascii_whitespace() {
            *languages.entry(word).or_default() |= 1 << at;
        }
    }
    languages
});

/// Also verbs and adverbs frequent enough to be in most sentences.
const ENGLISH: &str = "\
    the a an of to and in is are was were be been being it its it's that this these those there \
    i you he she we they me him her us them my your his our their mine yours who whom whose which \
    what when where why how if then than so as at by for from with without within into onto out on \
    off up down over under about after before between among during through against because while \
    although though unless until since or but nor not no yes never always also only just even still \
    very too more most much many some any all both each every either neither such other another same \
    own can could will would shall should may might must do does did don't doesn't didn't can't won't \
    isn't aren't wasn't weren't wouldn't shouldn't couldn't have has had having i'm i've i'd i'll \
    you're you've he's she's we're we've they're they've that's there's let's what's get gets got go \
    goes going make makes made take say says said think know see want need people one two new like \
    back here now well really has let being someone something anything nothing everyone people's \
    ain't dont im rather quite yet however therefore thus whether once again per via";

/// Words that English does not have, or has only as rare ones.
const FOREIGN: [&str; 16] = [
    // German
    "der die das und ist nicht ein eine einen einem einer zu den dem des mit sich auf für von im \
     auch es sie er wir ich du ihr wird werden wurde hat haben sind als wie aber oder wenn dass daß \
     kann nur noch nach bei aus zum zur über sehr mehr keine kein diese dieser dieses sein war durch",
    // French
    "le la les des un une et est pas ne que qui dans pour sur avec ce cette ces il elle nous vous \
     ils elles je tu se sont été être avoir ont mais ou où du au aux par plus son sa ses leur leurs \
     n'est c'est d'un d'une qu'il l'on ça très même donc aussi comme si tout fait on ai était",
    // Spanish
    "el la los las de que y en un una es no por con para se del al lo como más pero sus su le ya o \
     este esta esto sí porque muy sin sobre también me hay donde quien desde todo nos ni yo tiene son \
     ser está están fue ha han cuando entre era eso esa ese mi te",
    // Italian
    "il lo la gli le di che e è non un una per con del della dei delle nel nella sono si al alla ma \
     come anche più questo questa ha hanno da se ci io noi voi loro molto essere stato perché o cosa \
     era dal dalla sul sulla degli ai",
    // Portuguese
    "o a os as de que e é não um uma em do da dos das no na nos nas para com por se mais mas como ao \
     ele ela eu você são ser está isso este esta também muito já foi pelo pela seu sua quando ou tem \
     à há nós me",
    // Dutch
    "de het een en van is niet dat die in te op met voor zijn er aan ook als bij of om maar wij we ik \
     je hij zij ze wordt worden naar uit dan nog wel geen over door deze dit hebben heeft was werd kan \
     zou moet meer",
    // Swedish, Danish, Norwegian
    "och att det som en är av för på med inte den till har de om ett man jag vi du han hon men var \
     från kan og er ikke til ei et på jeg av af så eller sig vil ska skal også men hvor der hvis vad \
     detta dette være blir blev noe någon mycket",
    // Polish
    "i w na z że nie się do to jest o jak ale po za od co przez dla tym są czy tak już tylko może być \
     był była było jego jej ich które który która oraz lub bardzo ten ta ma ze my",
    // Czech and Slovak
    "a je se že na v s z do to ale jako nebo pro by jsou není už jen tak také aby když co ve za po od \
     při být byl bylo jsem jsme ktoré ktorý který která ako nie sa si pre alebo som sme tento",
    // Turkish
    "bir ve bu da de için ile çok ne gibi daha ama olarak var mi mı değil olan o ben sen biz kadar \
     en her sonra şey ya ise diye bunu değildir olduğu veya hem",
    // Indonesian and Malay
    "yang dan di ini itu tidak dengan untuk dari dalam akan pada adalah ke juga saya kami kita mereka \
     bisa dapat sudah ada oleh atau karena lebih seperti telah harus bukan tersebut anda ia",
    // Vietnamese
    "không là và của có các được một cho này trong những người với để đã tôi chúng ta thì mà nhưng \
     rất đó khi từ về cũng như phải nên ra vào bị",
    // Finnish
    "ja on ei se että oli hän en ovat mutta tai kun niin myös joka jos vain mitä ole ovat olla sen \
     tämä ne minä sinä me he kuin voi hyvin nyt sitä siitä tästä mukaan jo",
    // Hungarian
    "a az és hogy nem is egy ez de csak van meg már mint ha még el volt vagy azt nagyon ezt kell \
     lehet mert én te mi ők lesz minden ki",
    // Romanian
    "și şi de la în nu o un este pe cu că ce să mai din care pentru sunt a fi fost au are dar sau ca \
     prin foarte acest această el ea noi lui ale al",
    // Swahili and Tagalog
    "ya na wa kwa ni katika za la kuwa hii si hiyo lakini kama watu sana yake ang ng sa mga hindi ay \
     ito na at ko mo siya kami para kung pero po din lang",
];

#[cfg(test)]
mod tests;
