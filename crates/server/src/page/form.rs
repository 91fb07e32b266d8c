//! The fields of a form that a browser sent.

use axum::body::Bytes;

use crate::problem::{INVALID, Problem};

/// Most fields of a form: each is read, and a panel has a field for each agent.
const FIELDS: usize = 200;

/// Names and values, in the order they were sent.
#[derive(Debug, Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// The fields of a body or of a query.
    pub(super) fn of(sent: &[u8]) -> Result<Self, Problem> {
        let fields: Vec<(String, String)> = form_urlencoded::parse(sent)
            .take(FIELDS + 1)
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        if fields.len() > FIELDS {
            return Err(Problem::new(INVALID, format!("a form has at most {FIELDS} fields")));
        }
        Ok(Self(fields))
    }

    pub(super) fn of_body(body: &Bytes) -> Result<Self, Problem> {
        Self::of(body)
    }

    pub(super) fn of_query(query: Option<&str>) -> Result<Self, Problem> {
        Self::of(query.unwrap_or_default().as_bytes())
    }

    /// A field's text; empty where it was not sent. Browsers send line breaks as two characters.
    pub(super) fn text(&self, name: &str) -> String {
        let found = self.0.iter().find(|(field, _)| field == name);
        found.map_or_else(String::new, |(_, value)| value.replace("\r\n", "\n").trim().to_owned())
    }

    /// A field's text, where there is any.
    pub(super) fn filled(&self, name: &str) -> Option<String> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// Every value of a field.
    pub(super) fn all(&self, name: &str) -> Vec<String> {
        let own = self.0.iter().filter(|(field, _)| field == name);
        own.map(|(_, value)| value.clone()).collect()
    }

    /// A field's number, where one was sent.
    pub(super) fn number<N: std::str::FromStr>(&self, name: &str) -> Result<Option<N>, Problem> {
        let Some(text) = self.filled(name) else { return Ok(None) };
        let wrong =
            |_| Problem::new(INVALID, format!("`{name}` is {text:?}, not a number that fits"));
        text.parse().map(Some).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_a_browser_sends_them() {
        let form = Form::of(b"question=a%0D%0Ab&agents=x&agents=y&rounds=&at=x").unwrap();
        assert_eq!(form.text("question"), "a\nb");
        assert_eq!(form.all("agents"), ["x", "y"]);
        assert_eq!(form.number::<u32>("rounds").unwrap(), None);
        assert!(form.number::<u32>("at").is_err());
        assert!(Form::of("a=1&".repeat(FIELDS + 1).as_bytes()).is_err());
    }
}
