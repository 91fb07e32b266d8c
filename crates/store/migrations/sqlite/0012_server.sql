-- What servers keep beside the journal: debates they were asked to run, and who may ask. None of it follows
-- from the journal: it is what people wanted and allowed.
CREATE TABLE orders (
    stream      TEXT NOT NULL PRIMARY KEY, -- of the debate
    owner       TEXT NOT NULL,    -- the user who asked for it
    request_key TEXT,              -- the client's own word for the request: the same word is the same debate
    body        TEXT NOT NULL,    -- hash of the request, to tell a repeat from a mistake
    request     TEXT NOT NULL,    -- the request, so that any server can begin it
    wanted      TEXT NOT NULL,    -- run, pause, stop or rest
    due         INTEGER NOT NULL, -- not to be run before, in microseconds since 1970
    calls       INTEGER NOT NULL, -- most requests to models it may make
    at          INTEGER NOT NULL, -- when it was asked for
    failed      TEXT               -- why it could not be run
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX idx_orders_key ON orders(owner, request_key) WHERE request_key IS NOT NULL;
CREATE INDEX idx_orders_due ON orders(wanted, due);
CREATE INDEX idx_orders_owner ON orders(owner, at);

CREATE TABLE users (
    name    TEXT NOT NULL PRIMARY KEY,
    made    INTEGER NOT NULL,
    calls   INTEGER,              -- most requests to models in a day; none: no limit
    revoked INTEGER               -- since when it may do nothing any more
) STRICT, WITHOUT ROWID;

-- Tokens of programs and sessions of pages. The secret itself is kept nowhere.
CREATE TABLE tokens (
    hash    TEXT NOT NULL PRIMARY KEY, -- of the secret
    id      TEXT NOT NULL UNIQUE,      -- what it is called when it is listed or revoked
    owner   TEXT NOT NULL,
    scope   TEXT NOT NULL,             -- read, run or admin
    kind    TEXT NOT NULL,             -- token or session
    made    INTEGER NOT NULL,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_tokens_owner ON tokens(owner);
