-- Every debate in short, derived from its stream in the transaction of each append, so that a list
-- reads no journals.
CREATE TABLE debates (
    stream        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    question      TEXT NOT NULL,
    agents        BIGINT NOT NULL,
    started       BIGINT NOT NULL, -- microseconds since 1970, of the first record
    latest        BIGINT NOT NULL, -- of the last record
    records       BIGINT NOT NULL,
    status        TEXT NOT NULL,    -- unfinished, waiting, decided, undecided or damaged
    answer        TEXT,
    calls         BIGINT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    micro_usd     BIGINT NOT NULL,
    damage        TEXT              -- what cannot be read, and why
);
CREATE INDEX idx_debates_started ON debates(started, stream);
CREATE INDEX idx_debates_status ON debates(status, started, stream);

-- Which version of the fold the table was made by; 0: it is to be made from the journal.
CREATE TABLE debates_state (
    one     BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    version BIGINT NOT NULL
);
INSERT INTO debates_state VALUES (1, 0);
