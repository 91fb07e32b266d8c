//! Who asks, and what that allows.
//!
//! On loopback without `--auth` everybody who reaches the server may do everything. Otherwise a program sends
//! a token (`Authorization: Bearer …`), and a browser a session's cookie. Of both only a hash is stored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, Method};
use jiff::{SignedDuration, Timestamp};
use rebuttal::store::{Scope, Store, Token, TokenKind};

use crate::problem::{FORBIDDEN, Problem, RATE, UNAUTHENTICATED};

/// Who a request is from where nobody has to say who they are.
pub(crate) const NOBODY: &str = "local";

/// The cookie of a session. Without TLS a browser takes no `__Host-` cookie, so it has the plain name.
const COOKIE_NAME: &str = "rebuttal_session";

/// How long a session of a page lasts.
const SESSION: SignedDuration = SignedDuration::from_hours(12);

/// Tries to sign in that may fail within a minute, over all clients.
const FAILED_SIGN_INS: u32 = 20;

/// Whether callers must say who they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Auth {
    /// Everybody who reaches the server may do everything.
    #[default]
    Open,
    /// Tokens and sessions decide.
    Required,
}

/// Somebody who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The user.
    pub(crate) name: Arc<str>,
    /// What it may do.
    pub(crate) scope: Scope,
    /// What a page must send with everything that changes something; `None` for programs, whose token no
    /// browser sends by itself.
    pub(crate) csrf: Option<String>,
}

impl Caller {
    /// Everybody, where nobody has to say who they are.
    pub(crate) fn anybody() -> Self {
        Self { name: NOBODY.into(), scope: Scope::Admin, csrf: None }
    }

    /// Whose debates it sees: its own, or all of them.
    pub(crate) fn sees_only(&self) -> Option<String> {
        (self.scope < Scope::Admin).then(|| self.name.to_string())
    }

    /// Refuses what the token does not allow.
    pub(crate) fn needs(&self, scope: Scope) -> Result<(), Problem> {
        if self.scope >= scope {
            return Ok(());
        }
        let message = format!(
            "this needs a token of scope {}, and yours is {}",
            scope.as_str(),
            self.scope.as_str()
        );
        Err(Problem::new(FORBIDDEN, message)
            .hint("`rebuttal users token NAME --scope …` on the server makes one"))
    }
}

/// How many requests a caller may make, and how many tries to sign in may fail, in the minute that runs.
#[derive(Debug, Default)]
pub(crate) struct Rates(Mutex<HashMap<Arc<str>, (i64, u32)>>);

/// How many callers are counted at a time.
const COUNTED: usize = 10_000;

impl Rates {
    /// Counts one request of a caller, and refuses it beyond so many a minute.
    pub(crate) fn count(&self, who: &Arc<str>, now: Timestamp, most: u32) -> Result<(), Problem> {
        let minute = now.as_second().div_euclid(60);
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.len() >= COUNTED {
            counted.retain(|_, (at, _)| *at == minute);
        }
        let (at, count) = counted.entry(Arc::clone(who)).or_insert((minute, 0));
        if *at != minute {
            (*at, *count) = (minute, 0);
        }
        *count += 1;
        if *count <= most {
            return Ok(());
        }
        let left = u64::try_from(60 - now.as_second().rem_euclid(60)).unwrap_or(60);
        Err(Problem::new(RATE, format!("more than {most} requests in a minute")).retry(left))
    }

    /// Counts a try to sign in that failed.
    pub(crate) fn failed(&self, now: Timestamp) -> Result<(), Problem> {
        self.count(&Arc::from("\0sign-in"), now, FAILED_SIGN_INS)
    }
}

/// Who a request is from.
pub(crate) async fn caller(
    auth: Auth,
    store: &Store,
    headers: &HeaderMap,
    now: Timestamp,
) -> Result<Caller, Problem> {
    if auth == Auth::Open {
        return Ok(Caller::anybody());
    }
    let Some(secret) = bearer(headers).or_else(|| cookie(headers)) else {
        return Err(Problem::new(UNAUTHENTICATED, "this server answers signed-in users only")
            .hint("send `Authorization: Bearer TOKEN`; `rebuttal users token NAME` makes one"));
    };
    let found = store.token(&hash(secret), now).await?;
    let token = found.filter(|token| match token.kind {
        TokenKind::Token => bearer(headers).is_some(),
        TokenKind::Session => bearer(headers).is_none(),
    });
    let Some(token) = token else {
        return Err(Problem::new(
            UNAUTHENTICATED,
            "the token is not known, has expired or was revoked",
        ));
    };
    let csrf = (token.kind == TokenKind::Session).then(|| csrf(secret));
    Ok(Caller { name: token.owner.into(), scope: token.scope, csrf })
}

/// Refuses a change that a page of another site may have had a browser send.
pub(crate) fn check_csrf(
    caller: &Caller,
    method: &Method,
    sent: Option<&str>,
) -> Result<(), Problem> {
    let Some(wanted) = &caller.csrf else { return Ok(()) };
    if method.is_safe() || sent.is_some_and(|sent| same(sent, wanted)) {
        return Ok(());
    }
    Err(Problem::new(FORBIDDEN, "a session changes nothing without its token")
        .hint("send the page's token as `X-CSRF-Token`"))
}

/// Signs a user in by a token: the secret of a new session, which is shown once, as a cookie.
pub(crate) async fn sign_in(
    store: &Store,
    secret: &str,
    now: Timestamp,
) -> Result<Option<(String, Token)>, Problem> {
    let token = store.token(&hash(secret.trim()), now).await?;
    let Some(token) = token.filter(|token| token.kind == TokenKind::Token) else {
        return Ok(None);
    };
    let expires = (now + SESSION).min(token.expires);
    let what = (token.scope, TokenKind::Session);
    let (secret, session) = minted(&token.owner, what, now, expires)?;
    store.add_token(&session).await?;
    Ok(Some((secret, session)))
}

/// Ends the session of a cookie.
pub(crate) async fn sign_out(store: &Store, headers: &HeaderMap) -> Result<(), Problem> {
    if let Some(secret) = cookie(headers) {
        store.forget_token(&hash(secret)).await?;
    }
    Ok(())
}

/// The line that gives a browser its cookie; `None` takes it away.
pub(crate) fn set_cookie(secret: Option<&str>, tls: Transport) -> String {
    let (value, age) = secret.map_or(("", 0), |secret| (secret, SESSION.as_secs()));
    let secure = match tls {
        Transport::Tls => "; Secure",
        Transport::Plain => "",
    };
    format!("{COOKIE_NAME}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}")
}

/// Whether browsers reach the server by encrypted connections, its own or a proxy's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// They do: cookies are never sent otherwise.
    Tls,
    /// They need not.
    #[default]
    Plain,
}

/// A new secret with what is kept of it.
pub fn minted(
    owner: &str,
    (scope, kind): (Scope, TokenKind),
    made: Timestamp,
    expires: Timestamp,
) -> Result<(String, Token), rebuttal::Error> {
    let mut random = [0_u8; 40];
    getrandom::fill(&mut random).map_err(|error| {
        rebuttal::Error::new(rebuttal::ErrorKind::Other, format!("no randomness: {error}"))
    })?;
    let (id, secret) = random.split_at(8);
    let secret = format!("rbt_{}", hex(secret));
    let token = Token {
        hash: hash(&secret),
        id: hex(id),
        owner: owner.to_owned(),
        scope,
        kind,
        made,
        expires,
    };
    Ok((secret, token))
}

/// What is stored of a secret: it has 256 bits of randomness, so a fast hash is as good as a slow one.
fn hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// What a page has to send back, made from the session's secret: nobody else can know it.
fn csrf(secret: &str) -> String {
    hex(&blake3::derive_key("rebuttal 2026-11 csrf of a session", secret.as_bytes()))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Compares without telling by the time how much was right.
fn same(one: &str, other: &str) -> bool {
    blake3::hash(one.as_bytes()) == blake3::hash(other.as_bytes())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let sent = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    sent.flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == COOKIE_NAME).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_by_the_minute_and_by_the_caller() {
        let rates = Rates::default();
        let (ann, bob) = (Arc::from("ann"), Arc::from("bob"));
        let at = |second| Timestamp::from_second(second).unwrap();
        assert!(rates.count(&ann, at(0), 2).is_ok() && rates.count(&ann, at(1), 2).is_ok());
        assert!(rates.count(&ann, at(59), 2).is_err());
        assert!(rates.count(&bob, at(59), 2).is_ok());
        assert!(rates.count(&ann, at(60), 2).is_ok());
    }

    #[test]
    fn a_session_changes_nothing_without_its_token() {
        let caller = Caller { csrf: Some(csrf("secret")), ..Caller::anybody() };
        assert!(check_csrf(&caller, &Method::GET, None).is_ok());
        assert!(check_csrf(&caller, &Method::POST, None).is_err());
        assert!(check_csrf(&caller, &Method::POST, Some(&csrf("other"))).is_err());
        assert!(check_csrf(&caller, &Method::POST, Some(&csrf("secret"))).is_ok());
        assert!(check_csrf(&Caller::anybody(), &Method::POST, None).is_ok());
    }

    #[test]
    fn a_secret_is_kept_nowhere() {
        let now = Timestamp::UNIX_EPOCH;
        let (secret, token) = minted("ann", (Scope::Run, TokenKind::Token), now, now).unwrap();
        assert!(secret.len() > 60 && !format!("{token:?}").contains(&secret[4..]));
        assert_ne!(minted("ann", (Scope::Run, TokenKind::Token), now, now).unwrap().0, secret);
    }
}
