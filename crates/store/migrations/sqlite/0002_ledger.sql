-- What is derived from the stream `ledger`. Everything here but position_keys and
-- detected_through can be dropped and made again (`rebuild`).
CREATE TABLE ledger_state (
    one              INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    folded           INTEGER NOT NULL, -- number of the last record that is in the tables
    positions        INTEGER NOT NULL,
    flips            INTEGER NOT NULL,
    detected_through INTEGER NOT NULL  -- flips were looked for up to this position (its n)
) STRICT;
INSERT INTO ledger_state VALUES (1, 0, 0, 0, 0);

CREATE TABLE positions (
    n                  INTEGER NOT NULL PRIMARY KEY, -- 1, 2, 3, … in the order of the journal
    id                 TEXT NOT NULL UNIQUE,
    agent_name         TEXT NOT NULL,
    claim              TEXT NOT NULL,
    confidence         REAL,
    debate_id          TEXT,
    round_num          INTEGER,
    outcome            TEXT NOT NULL DEFAULT 'pending',
    reversed           INTEGER NOT NULL DEFAULT 0,
    reversal_debate_id TEXT,
    domain             TEXT,
    created_at         INTEGER NOT NULL,             -- microseconds since 1970, UTC
    resolved_at        INTEGER,
    confidence_whose   TEXT,
    question           TEXT,
    stance             TEXT NOT NULL,
    turn               INTEGER,
    span_start         INTEGER,
    span_end           INTEGER,
    exposed_to         TEXT,                         -- causes, separated by spaces
    content            INTEGER NOT NULL              -- fingerprint: is a second one the same?
) STRICT;
CREATE INDEX idx_positions_agent ON positions(agent_name, created_at, n);
CREATE INDEX idx_positions_resolved ON positions(agent_name, n) WHERE outcome <> 'pending';
CREATE INDEX idx_positions_outcomes ON positions(n) WHERE outcome <> 'pending';

CREATE TABLE detected_flips (
    id                   TEXT NOT NULL PRIMARY KEY,
    agent_name           TEXT NOT NULL,
    original_claim       TEXT NOT NULL,
    new_claim            TEXT NOT NULL,
    original_confidence  REAL,
    new_confidence       REAL,
    original_debate_id   TEXT,
    new_debate_id        TEXT,
    similarity_score     REAL,
    flip_type            TEXT,
    domain               TEXT,
    detected_at          TEXT,             -- RFC 3339, UTC, six decimals: sorts as text
    n                    INTEGER NOT NULL UNIQUE,
    original_position_id TEXT NOT NULL REFERENCES positions(id),
    new_position_id      TEXT NOT NULL REFERENCES positions(id),
    original_span_start  INTEGER NOT NULL,
    original_span_end    INTEGER NOT NULL,
    new_span_start       INTEGER NOT NULL,
    new_span_end         INTEGER NOT NULL,
    acknowledged         INTEGER NOT NULL, -- 1: the agent said so; 0: silent
    acknowledged_start   INTEGER,
    acknowledged_end     INTEGER,
    cause                TEXT NOT NULL,
    because              TEXT,             -- who said what, as JSON
    method               TEXT NOT NULL,
    severity             REAL NOT NULL,
    detector_confidence  REAL NOT NULL,
    confidence_whose     TEXT NOT NULL,
    explanation          TEXT NOT NULL,
    detected_us          INTEGER NOT NULL, -- detected_at in microseconds since 1970
    happened_us          INTEGER NOT NULL  -- when the new position was taken
) STRICT;
CREATE INDEX idx_flips_agent ON detected_flips(agent_name, n);
CREATE INDEX idx_flips_type ON detected_flips(flip_type, n);
CREATE INDEX idx_flips_detected ON detected_flips(detected_us);

CREATE TABLE position_keys (
    block INTEGER NOT NULL,            -- the caller's key, mixed with agent and domain
    n     INTEGER NOT NULL,
    PRIMARY KEY (block, n)
) STRICT, WITHOUT ROWID;

-- Totals, kept as records come in, so that a summary costs the same at any size.
CREATE TABLE agent_totals (
    agent_name     TEXT NOT NULL PRIMARY KEY,
    positions      INTEGER NOT NULL,
    flips          INTEGER NOT NULL,
    contradictions INTEGER NOT NULL,
    retractions    INTEGER NOT NULL,
    qualifications INTEGER NOT NULL,
    refinements    INTEGER NOT NULL,
    silent         INTEGER NOT NULL,
    before_sum     REAL NOT NULL,      -- confidences in what was left, where stated
    before_count   INTEGER NOT NULL,
    after_sum      REAL NOT NULL,      -- confidences in what was taken up, where stated
    after_count    INTEGER NOT NULL,
    consistency    REAL NOT NULL GENERATED ALWAYS AS (
        CASE WHEN positions = 0 THEN 1.0
             WHEN contradictions * 1.0 + retractions * 0.7 + qualifications * 0.3
                  + refinements * 0.1 >= positions THEN 0.0
             ELSE 1.0 - (contradictions * 1.0 + retractions * 0.7 + qualifications * 0.3
                  + refinements * 0.1) / positions END) STORED
) STRICT;
CREATE INDEX idx_agent_totals_rank ON agent_totals(consistency, agent_name);
CREATE INDEX idx_agent_totals_flips ON agent_totals(flips, agent_name);

CREATE TABLE agent_domain_totals (
    agent_name     TEXT NOT NULL,
    domain         TEXT NOT NULL,      -- empty for positions without one
    positions      INTEGER NOT NULL,
    flips          INTEGER NOT NULL,
    contradictions INTEGER NOT NULL,
    retractions    INTEGER NOT NULL,
    qualifications INTEGER NOT NULL,
    refinements    INTEGER NOT NULL,
    silent         INTEGER NOT NULL,
    PRIMARY KEY (agent_name, domain)
) STRICT, WITHOUT ROWID;

CREATE TABLE domain_totals (
    domain         TEXT NOT NULL PRIMARY KEY,
    positions      INTEGER NOT NULL,
    flips          INTEGER NOT NULL,
    contradictions INTEGER NOT NULL,
    retractions    INTEGER NOT NULL,
    qualifications INTEGER NOT NULL,
    refinements    INTEGER NOT NULL,
    silent         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE flip_type_totals (
    flip_type TEXT NOT NULL PRIMARY KEY,
    flips     INTEGER NOT NULL,
    silent    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE flip_minutes (
    minute INTEGER NOT NULL PRIMARY KEY, -- of the finding, since 1970, UTC
    flips  INTEGER NOT NULL
) STRICT;

CREATE TABLE flip_days (
    day       INTEGER NOT NULL,          -- of the new position, since 1970, UTC
    flip_type TEXT NOT NULL,
    flips     INTEGER NOT NULL,
    PRIMARY KEY (day, flip_type)
) STRICT, WITHOUT ROWID;

CREATE TABLE exposures (
    agent_name TEXT NOT NULL,
    cause      TEXT NOT NULL,
    exposed    INTEGER NOT NULL,         -- positions taken after it was shown this
    flipped    INTEGER NOT NULL,         -- flips put down to this
    PRIMARY KEY (agent_name, cause)
) STRICT, WITHOUT ROWID;

CREATE TABLE topics (
    topic      TEXT NOT NULL PRIMARY KEY, -- hash of the question, or of the claim left
    words      TEXT NOT NULL,
    agents     INTEGER NOT NULL,
    flips      INTEGER NOT NULL,
    toward_yes INTEGER NOT NULL,
    toward_no  INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_topics_contested ON topics(agents, flips, topic);

CREATE TABLE topic_agents (
    topic      TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    flips      INTEGER NOT NULL,
    PRIMARY KEY (topic, agent_name)
) STRICT, WITHOUT ROWID;

CREATE TABLE debate_scores (
    n          INTEGER NOT NULL,         -- number of the record that says so
    agent_name TEXT NOT NULL,
    debate_id  TEXT NOT NULL,
    domain     TEXT,
    score      REAL NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (n, agent_name)
) STRICT, WITHOUT ROWID;
