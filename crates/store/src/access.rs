//! Who may ask a server, and for what. Secrets are kept as hashes; whoever asks makes and shows them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::journal::time;
use crate::sql::{Args, Row, word};
use crate::{Durability, Result, Store};

const ADD_USER: &str = "INSERT INTO users (name, made, calls, revoked) VALUES ($1, $2, $3, NULL)
    ON CONFLICT (name) DO NOTHING";

const USERS: &str = "SELECT name, made, calls, revoked FROM users ORDER BY name";

const USER: &str = "SELECT name, made, calls, revoked FROM users WHERE name = $1";

const REVOKE_USER: &str = "UPDATE users SET revoked = $2 WHERE name = $1 AND revoked IS NULL";

const ADD_TOKEN: &str = "INSERT INTO tokens (hash, id, owner, scope, kind, made, expires)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";

const TOKEN: &str = "SELECT t.hash, t.id, t.owner, t.scope, t.kind, t.made, t.expires
    FROM tokens AS t JOIN users AS u ON u.name = t.owner
    WHERE t.hash = $1 AND t.expires > $2 AND u.revoked IS NULL";

const TOKENS: &str = "SELECT hash, id, owner, scope, kind, made, expires
    FROM tokens WHERE expires > $1 ORDER BY owner, made";

const REVOKE_TOKENS: &str = "DELETE FROM tokens WHERE owner = $1 OR id = $1";

const FORGET: &str = "DELETE FROM tokens WHERE hash = $1";

const FORGET_EXPIRED: &str = "DELETE FROM tokens WHERE expires <= $1";

/// What a token allows. Each allows what those before it do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// To look at one's own debates.
    Read,
    /// To start debates and answer for them.
    Run,
    /// To see what everybody did: the ledger, all debates, the figures of the server.
    Admin,
}

impl Scope {
    /// `read`, `run` or `admin`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Run => "run",
            Self::Admin => "admin",
        }
    }
}

/// What carries a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// A program sends it in a header.
    Token,
    /// A browser sends it as a cookie.
    Session,
}

/// Somebody who may ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct User {
    /// What it is called.
    pub name: String,
    /// Since when it is known.
    pub made: Timestamp,
    /// Most requests to models in a day; `None` sets no limit.
    pub calls: Option<u64>,
    /// Since when it may do nothing any more.
    pub revoked: Option<Timestamp>,
}

/// What is kept of a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Token {
    /// A hash of the secret.
    #[serde(skip)]
    pub hash: String,
    /// What it is called when it is listed or revoked.
    pub id: String,
    /// Whose it is.
    pub owner: String,
    /// What it allows.
    pub scope: Scope,
    /// What carries it.
    pub kind: TokenKind,
    /// Since when it is good.
    pub made: Timestamp,
    /// Until when.
    pub expires: Timestamp,
}

fn user(row: &mut Row) -> Result<User> {
    let (name, made) = (row.text()?, time(row.int()?)?);
    let calls: Option<i64> = row.take()?;
    let revoked: Option<i64> = row.take()?;
    let calls = calls.map(|calls| u64::try_from(calls).unwrap_or_default());
    Ok(User { name, made, calls, revoked: revoked.map(time).transpose()? })
}

fn token(row: &mut Row) -> Result<Token> {
    Ok(Token {
        hash: row.text()?,
        id: row.text()?,
        owner: row.text()?,
        scope: word(&row.text()?)?,
        kind: word(&row.text()?)?,
        made: time(row.int()?)?,
        expires: time(row.int()?)?,
    })
}

impl Store {
    /// Adds a user; whether there was none of that name, not even a revoked one.
    pub async fn add_user(&self, name: &str, now: Timestamp, calls: Option<u64>) -> Result<bool> {
        let calls = calls.map(|calls| i64::try_from(calls).unwrap_or(i64::MAX));
        let args = Args::none().text(name).int(now.as_microsecond()).int(calls);
        Ok(self.changed(ADD_USER, args).await? > 0)
    }

    /// Everybody who may ask, and who was allowed to before.
    pub async fn users(&self) -> Result<Vec<User>> {
        let rows = self.db.rows(USERS, Args::none()).await?;
        rows.into_iter().map(|mut row| user(&mut row)).collect()
    }

    /// The user of this name.
    pub async fn user(&self, name: &str) -> Result<Option<User>> {
        let row = self.db.row(USER, Args::none().text(name)).await?;
        row.map(|mut row| user(&mut row)).transpose()
    }

    /// Takes everything from a user, or one token away by its id; how much that was.
    pub async fn revoke(&self, name: &str, now: Timestamp) -> Result<u64> {
        let users =
            self.changed(REVOKE_USER, Args::none().text(name).int(now.as_microsecond())).await?;
        Ok(users + self.changed(REVOKE_TOKENS, Args::none().text(name)).await?)
    }

    /// Keeps a secret's hash, and forgets those that have expired.
    pub async fn add_token(&self, token: &Token) -> Result<()> {
        let made = token.made.as_microsecond();
        self.changed(FORGET_EXPIRED, Args::none().int(made)).await?;
        let args = Args::none()
            .text(token.hash.as_str())
            .text(token.id.as_str())
            .text(token.owner.as_str())
            .text(token.scope.as_str())
            .text(match token.kind {
                TokenKind::Token => "token",
                TokenKind::Session => "session",
            })
            .int(made)
            .int(token.expires.as_microsecond());
        self.changed(ADD_TOKEN, args).await.map(drop)
    }

    /// Forgets a secret's hash.
    pub async fn forget_token(&self, hash: &str) -> Result<()> {
        self.changed(FORGET, Args::none().text(hash)).await.map(drop)
    }

    /// The token with this hash, if it is good now and its owner was not revoked.
    pub async fn token(&self, hash: &str, now: Timestamp) -> Result<Option<Token>> {
        let row = self.db.row(TOKEN, Args::none().text(hash).int(now.as_microsecond())).await?;
        row.map(|mut row| token(&mut row)).transpose()
    }

    /// All tokens and sessions that are good now.
    pub async fn tokens(&self, now: Timestamp) -> Result<Vec<Token>> {
        let rows = self.db.rows(TOKENS, Args::none().int(now.as_microsecond())).await?;
        rows.into_iter().map(|mut row| token(&mut row)).collect()
    }

    async fn changed(&self, sql: &'static str, args: Args) -> Result<u64> {
        let mut tx = self.db.begin(Durability::Full).await?;
        let changed = tx.run(sql, args).await?;
        tx.commit().await?;
        Ok(changed)
    }
}
