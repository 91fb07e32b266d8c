//! Specificity: names, numbers and particulars against generalities.

use crate::lexicon::Group;
use crate::reading::Reading;
use crate::tokens::Kind;
use crate::traits::Traits;

impl Reading<'_> {
    /// How specific the text is, 1 (general) to 5 (names, numbers, places).
    ///
    /// Particulars count in absolute numbers, because two facts in a long sentence are as specific
    /// as two facts in a short one; vague words count against it.
    pub fn specificity(&self) -> f64 {
        let (mut content, mut numbers, mut names) = (0.0, 0.0, 0.0);
        let mut starts = self.sentences.iter().map(|sentence| sentence.tokens.start).peekable();
        for (index, token) in self.tokens.iter().enumerate() {
            while starts.next_if(|&start| start < index).is_some() {}
            let opens = starts.peek() == Some(&index);
            match token.kind {
                Kind::Number | Kind::Url => numbers += 1.0,
                Kind::Word => {
                    let function = self.is_function_word(index);
                    content += f64::from(u8::from(!function));
                    let capital = self.word(index).chars().next().is_some_and(char::is_uppercase);
                    names += f64::from(u8::from(capital && !opens && !function));
                }
                _ => {}
            }
        }
        let vague = self.hits.iter().filter(|hit| hit.group == Group::Vague).count();
        let vague = f64::from(u32::try_from(vague).unwrap_or(u32::MAX));
        let particulars = content + 1.5 * numbers + 1.0 * names - 0.5 * vague;
        // Saturates: the fortieth particular adds less than the fourth.
        1.0 + 4.0 * (particulars.max(0.0) / (particulars.max(0.0) + 10.0))
    }

    /// True when the token says nothing about the topic.
    pub(crate) fn is_function_word(&self, token: usize) -> bool {
        self.tokens.get(token).is_some_and(|token| token.traits.has(Traits::FUNCTION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particulars_raise_it_and_vagueness_lowers_it() {
        let vague = Reading::new("Things are really good for a lot of people.").specificity();
        let precise = Reading::new("Revenue at Acme grew 12% in Q1 2024 in Lisbon.").specificity();
        assert!(precise > vague + 1.0, "{precise} {vague}");
        assert!((Reading::new("").specificity() - 1.0).abs() < f64::EPSILON);
    }
}
