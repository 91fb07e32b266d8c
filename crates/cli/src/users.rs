//! `rebuttal users`: who may ask a server, and with which tokens.

use std::io::Write as _;

use anyhow::{Result, bail};
use jiff::SignedDuration;
use rebuttal::store::{Scope, Token, TokenKind, User};
use rebuttal_server::minted;
use serde::Serialize;

use crate::args::{ScopeArg, UsersArgs, UsersCommand, UsersFormat};
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::store;

/// Longest name of a user, in characters.
const NAME_CHARS: usize = 64;

/// Runs the command.
pub(crate) fn run(args: &UsersArgs, out: &mut Output) -> Result<Status> {
    let now = store::now();
    match &args.command {
        UsersCommand::Add { name, calls, db } => {
            check(name)?;
            let (runtime, store) = store::open(db)?;
            if !runtime.block_on(store.add_user(name, now, *calls))? {
                bail!("there is, or was, a user {name:?}; take another name");
            }
            out.note(format_args!("`rebuttal users token {name}` makes a token"))?;
        }
        UsersCommand::List { format, db } => {
            let (runtime, store) = store::open(db)?;
            let (users, tokens) = runtime.block_on(async {
                Ok::<_, anyhow::Error>((store.users().await?, store.tokens(now).await?))
            })?;
            list(&Known { users, tokens }, *format, out)?;
        }
        UsersCommand::Revoke { name, db } => {
            let (runtime, store) = store::open(db)?;
            if runtime.block_on(store.revoke(name, now))? == 0 {
                bail!("there is no user and no token {name:?}; `rebuttal users list` shows them");
            }
        }
        UsersCommand::Token { name, scope, days, db } => {
            let (runtime, store) = store::open(db)?;
            let user = runtime.block_on(store.user(name))?;
            if user.is_none_or(|user| user.revoked.is_some()) {
                bail!("there is no user {name:?}; `rebuttal users add {name}` adds one");
            }
            let expires = now.checked_add(SignedDuration::from_hours(24 * i64::from(*days)))?;
            let scope = match scope {
                ScopeArg::Read => Scope::Read,
                ScopeArg::Run => Scope::Run,
                ScopeArg::Admin => Scope::Admin,
            };
            let (secret, token) = minted(name, (scope, TokenKind::Token), now, expires)?;
            runtime.block_on(store.add_token(&token))?;
            writeln!(out, "{secret}")?;
            out.note(format_args!(
                "this is shown once; its id is {}, and it is good until {expires}",
                token.id
            ))?;
        }
    }
    Ok(Status::Clean)
}

fn check(name: &str) -> Result<()> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    if name.is_empty() || name.len() > NAME_CHARS || !name.chars().all(fits) || name == "local" {
        bail!("{name:?} is no name: up to {NAME_CHARS} letters, digits and . _ -, and not `local`");
    }
    Ok(())
}

/// Everybody, with what they may use.
#[derive(Debug, Serialize)]
struct Known {
    users: Vec<User>,
    tokens: Vec<Token>,
}

fn list(known: &Known, format: UsersFormat, out: &mut Output) -> Result<()> {
    if let UsersFormat::Json = format {
        return Ok(JsonText::line(out, known)?);
    }
    if known.users.is_empty() {
        writeln!(out, "There are no users; `rebuttal users add NAME` adds one.")?;
    }
    for user in &known.users {
        let calls = user.calls.map_or(String::new(), |calls| format!(", {calls} calls a day"));
        let revoked = user.revoked.map_or(String::new(), |at| format!(", revoked {at:.0}"));
        writeln!(out, "{} (since {:.0}{calls}{revoked})", user.name, user.made)?;
        for token in known.tokens.iter().filter(|token| token.owner == user.name) {
            let kind = match token.kind {
                TokenKind::Token => "token",
                TokenKind::Session => "session",
            };
            let (id, scope) = (&token.id, token.scope.as_str());
            writeln!(out, "  {kind} {id}: {scope}, until {:.0}", token.expires)?;
        }
    }
    Ok(())
}
