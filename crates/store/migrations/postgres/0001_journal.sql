-- The journal: append-only, one hash chain for each stream.
CREATE TABLE streams (
    stream TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    seq    BIGINT NOT NULL,            -- number of its last record; 0 before the first
    hash   BYTEA NOT NULL              -- hash of its last record: the head
);

CREATE TABLE journal (
    stream  TEXT COLLATE "C" NOT NULL,
    seq     BIGINT NOT NULL,
    at      BIGINT NOT NULL,           -- microseconds since 1970, UTC
    prev    BYTEA NOT NULL,
    hash    BYTEA NOT NULL,
    payload BYTEA NOT NULL,            -- the event, as it was written
    PRIMARY KEY (stream, seq)
);

CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the journal is append-only'; END $$;

CREATE TRIGGER journal_is_never_changed BEFORE UPDATE OR DELETE ON journal
FOR EACH ROW EXECUTE FUNCTION journal_is_append_only();
