-- Every debate in short, derived from its stream in the transaction of each append, so that a list
-- reads no journals.
CREATE TABLE debates (
    stream        TEXT NOT NULL PRIMARY KEY,
    question      TEXT NOT NULL,
    agents        INTEGER NOT NULL,
    started       INTEGER NOT NULL, -- microseconds since 1970, of the first record
    latest        INTEGER NOT NULL, -- of the last record
    records       INTEGER NOT NULL,
    status        TEXT NOT NULL,    -- unfinished, waiting, decided, undecided or damaged
    answer        TEXT,
    calls         INTEGER NOT NULL,
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    micro_usd     INTEGER NOT NULL,
    damage        TEXT              -- what cannot be read, and why
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_debates_started ON debates(started, stream);
CREATE INDEX idx_debates_status ON debates(status, started, stream);

-- Which version of the fold the table was made by; 0: it is to be made from the journal.
CREATE TABLE debates_state (
    one     INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL
) STRICT;
INSERT INTO debates_state VALUES (1, 0);
