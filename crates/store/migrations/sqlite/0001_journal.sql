-- The journal: append-only, one hash chain for each stream.
CREATE TABLE streams (
    stream TEXT NOT NULL PRIMARY KEY,
    seq    INTEGER NOT NULL,           -- number of its last record; 0 before the first
    hash   BLOB NOT NULL               -- hash of its last record: the head
) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
    stream  TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    at      INTEGER NOT NULL,          -- microseconds since 1970, UTC
    prev    BLOB NOT NULL,
    hash    BLOB NOT NULL,
    payload BLOB NOT NULL,             -- the event, as it was written
    PRIMARY KEY (stream, seq)
) STRICT;

CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER journal_is_never_deleted BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
