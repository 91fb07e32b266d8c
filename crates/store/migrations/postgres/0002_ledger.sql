-- What is derived from the stream `ledger`. Everything here but position_keys and
-- detected_through can be dropped and made again (`rebuild`).
CREATE TABLE ledger_state (
    one              BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    folded           BIGINT NOT NULL, -- number of the last record that is in the tables
    positions        BIGINT NOT NULL,
    flips            BIGINT NOT NULL,
    detected_through BIGINT NOT NULL  -- flips were looked for up to this position (its n)
);
INSERT INTO ledger_state VALUES (1, 0, 0, 0, 0);

CREATE TABLE positions (
    n                  BIGINT NOT NULL PRIMARY KEY, -- 1, 2, 3, … in the order of the journal
    id                 TEXT COLLATE "C" NOT NULL UNIQUE,
    agent_name         TEXT COLLATE "C" NOT NULL,
    claim              TEXT NOT NULL,
    confidence         DOUBLE PRECISION,
    debate_id          TEXT,
    round_num          BIGINT,
    outcome            TEXT NOT NULL DEFAULT 'pending',
    reversed           BIGINT NOT NULL DEFAULT 0,
    reversal_debate_id TEXT,
    domain             TEXT COLLATE "C",
    created_at         BIGINT NOT NULL,             -- microseconds since 1970, UTC
    resolved_at        BIGINT,
    confidence_whose   TEXT,
    question           TEXT,
    stance             TEXT NOT NULL,
    turn               BIGINT,
    span_start         BIGINT,
    span_end           BIGINT,
    exposed_to         TEXT,                         -- causes, separated by spaces
    content            BIGINT NOT NULL              -- fingerprint: is a second one the same?
);
CREATE INDEX idx_positions_agent ON positions(agent_name, created_at, n);
CREATE INDEX idx_positions_resolved ON positions(agent_name, n) WHERE outcome <> 'pending';
CREATE INDEX idx_positions_outcomes ON positions(n) WHERE outcome <> 'pending';

CREATE TABLE detected_flips (
    id                   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    agent_name           TEXT COLLATE "C" NOT NULL,
    original_claim       TEXT NOT NULL,
    new_claim            TEXT NOT NULL,
    original_confidence  DOUBLE PRECISION,
    new_confidence       DOUBLE PRECISION,
    original_debate_id   TEXT,
    new_debate_id        TEXT,
    similarity_score     DOUBLE PRECISION,
    flip_type            TEXT COLLATE "C",
    domain               TEXT COLLATE "C",
    detected_at          TEXT,             -- RFC 3339, UTC, six decimals: sorts as text
    n                    BIGINT NOT NULL UNIQUE,
    original_position_id TEXT NOT NULL REFERENCES positions(id),
    new_position_id      TEXT NOT NULL REFERENCES positions(id),
    original_span_start  BIGINT NOT NULL,
    original_span_end    BIGINT NOT NULL,
    new_span_start       BIGINT NOT NULL,
    new_span_end         BIGINT NOT NULL,
    acknowledged         BIGINT NOT NULL, -- 1: the agent said so; 0: silent
    acknowledged_start   BIGINT,
    acknowledged_end     BIGINT,
    cause                TEXT COLLATE "C" NOT NULL,
    because              TEXT,             -- who said what, as JSON
    method               TEXT NOT NULL,
    severity             DOUBLE PRECISION NOT NULL,
    detector_confidence  DOUBLE PRECISION NOT NULL,
    confidence_whose     TEXT NOT NULL,
    explanation          TEXT NOT NULL,
    detected_us          BIGINT NOT NULL, -- detected_at in microseconds since 1970
    happened_us          BIGINT NOT NULL  -- when the new position was taken
);
CREATE INDEX idx_flips_agent ON detected_flips(agent_name, n);
CREATE INDEX idx_flips_type ON detected_flips(flip_type, n);
CREATE INDEX idx_flips_detected ON detected_flips(detected_us);

CREATE TABLE position_keys (
    block BIGINT NOT NULL,            -- the caller's key, mixed with agent and domain
    n     BIGINT NOT NULL,
    PRIMARY KEY (block, n)
);

-- Totals, kept as records come in, so that a summary costs the same at any size.
CREATE TABLE agent_totals (
    agent_name     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    positions      BIGINT NOT NULL,
    flips          BIGINT NOT NULL,
    contradictions BIGINT NOT NULL,
    retractions    BIGINT NOT NULL,
    qualifications BIGINT NOT NULL,
    refinements    BIGINT NOT NULL,
    silent         BIGINT NOT NULL,
    before_sum     DOUBLE PRECISION NOT NULL,      -- confidences in what was left, where stated
    before_count   BIGINT NOT NULL,
    after_sum      DOUBLE PRECISION NOT NULL,      -- confidences in what was taken up, where stated
    after_count    BIGINT NOT NULL,
    consistency    DOUBLE PRECISION NOT NULL GENERATED ALWAYS AS (
        CASE WHEN positions = 0 THEN 1.0
             WHEN contradictions * 1.0 + retractions * 0.7 + qualifications * 0.3
                  + refinements * 0.1 >= positions THEN 0.0
             ELSE 1.0 - (contradictions * 1.0 + retractions * 0.7 + qualifications * 0.3
                  + refinements * 0.1) / positions END) STORED
);
CREATE INDEX idx_agent_totals_rank ON agent_totals(consistency, agent_name);
CREATE INDEX idx_agent_totals_flips ON agent_totals(flips, agent_name);

CREATE TABLE agent_domain_totals (
    agent_name     TEXT COLLATE "C" NOT NULL,
    domain         TEXT COLLATE "C" NOT NULL,      -- empty for positions without one
    positions      BIGINT NOT NULL,
    flips          BIGINT NOT NULL,
    contradictions BIGINT NOT NULL,
    retractions    BIGINT NOT NULL,
    qualifications BIGINT NOT NULL,
    refinements    BIGINT NOT NULL,
    silent         BIGINT NOT NULL,
    PRIMARY KEY (agent_name, domain)
);

CREATE TABLE domain_totals (
    domain         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    positions      BIGINT NOT NULL,
    flips          BIGINT NOT NULL,
    contradictions BIGINT NOT NULL,
    retractions    BIGINT NOT NULL,
    qualifications BIGINT NOT NULL,
    refinements    BIGINT NOT NULL,
    silent         BIGINT NOT NULL
);

CREATE TABLE flip_type_totals (
    flip_type TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    flips     BIGINT NOT NULL,
    silent    BIGINT NOT NULL
);

CREATE TABLE flip_minutes (
    minute BIGINT NOT NULL PRIMARY KEY, -- of the finding, since 1970, UTC
    flips  BIGINT NOT NULL
);

CREATE TABLE flip_days (
    day       BIGINT NOT NULL,          -- of the new position, since 1970, UTC
    flip_type TEXT COLLATE "C" NOT NULL,
    flips     BIGINT NOT NULL,
    PRIMARY KEY (day, flip_type)
);

CREATE TABLE exposures (
    agent_name TEXT COLLATE "C" NOT NULL,
    cause      TEXT COLLATE "C" NOT NULL,
    exposed    BIGINT NOT NULL,         -- positions taken after it was shown this
    flipped    BIGINT NOT NULL,         -- flips put down to this
    PRIMARY KEY (agent_name, cause)
);

CREATE TABLE topics (
    topic      TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- hash of the question, or of the claim left
    words      TEXT NOT NULL,
    agents     BIGINT NOT NULL,
    flips      BIGINT NOT NULL,
    toward_yes BIGINT NOT NULL,
    toward_no  BIGINT NOT NULL
);
CREATE INDEX idx_topics_contested ON topics(agents, flips, topic);

CREATE TABLE topic_agents (
    topic      TEXT COLLATE "C" NOT NULL,
    agent_name TEXT COLLATE "C" NOT NULL,
    flips      BIGINT NOT NULL,
    PRIMARY KEY (topic, agent_name)
);

CREATE TABLE debate_scores (
    n          BIGINT NOT NULL,         -- number of the record that says so
    agent_name TEXT COLLATE "C" NOT NULL,
    debate_id  TEXT NOT NULL,
    domain     TEXT COLLATE "C",
    score      DOUBLE PRECISION NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (n, agent_name)
);
