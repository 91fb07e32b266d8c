-- Positions that come late, flips that are withdrawn for them, and which way a flip went.
ALTER TABLE ledger_state ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0; -- flips, for their numbers

ALTER TABLE agent_totals ADD COLUMN earliest_us INTEGER;  -- of its positions
ALTER TABLE agent_totals ADD COLUMN latest_us INTEGER;
ALTER TABLE agent_totals ADD COLUMN unordered INTEGER NOT NULL DEFAULT 0; -- 1: one came after a later one
UPDATE agent_totals SET
    earliest_us = (SELECT min(p.created_at) FROM positions AS p
        WHERE p.agent_name = agent_totals.agent_name),
    latest_us = (SELECT max(p.created_at) FROM positions AS p
        WHERE p.agent_name = agent_totals.agent_name);
UPDATE agent_totals SET unordered = 1 WHERE agent_name IN (
    SELECT o.agent_name FROM (SELECT agent_name, created_at, max(created_at) OVER (
        PARTITION BY agent_name ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        AS ahead FROM positions) AS o
    WHERE o.created_at < o.ahead);

ALTER TABLE detected_flips ADD COLUMN toward TEXT NOT NULL DEFAULT 'unclear';
CREATE INDEX idx_flips_new ON detected_flips(new_position_id);
CREATE INDEX idx_flips_original ON detected_flips(original_position_id);

-- What is recent goes by when the new position was taken, not by when it was found.
DROP INDEX idx_flips_detected;
CREATE INDEX idx_flips_happened ON detected_flips(happened_us);
DELETE FROM flip_minutes;
INSERT INTO flip_minutes (minute, flips)
    SELECT (happened_us - ((happened_us % 60000000) + 60000000) % 60000000) / 60000000, count(*)
    FROM detected_flips GROUP BY 1;

-- Both ways first: the fewer of the two ways.
CREATE INDEX idx_topics_both ON topics(
    (CASE WHEN toward_yes < toward_no THEN toward_yes ELSE toward_no END), agents, flips, topic)
    WHERE agents >= 2;
CREATE INDEX idx_knowledge_both ON knowledge_topics(
    (CASE WHEN toward_yes < toward_no THEN toward_yes ELSE toward_no END), agents, flips, topic);

ALTER TABLE outbox ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0; -- 1: the other store is to forget it
