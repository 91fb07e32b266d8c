-- A debate is scored once: whether it was is asked by its id.
CREATE INDEX idx_debate_scores_debate ON debate_scores(debate_id);
