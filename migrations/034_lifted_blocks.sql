-- Each purchase of an account with declines asks when a pause of it was last lifted; the index there was leaves those out.
CREATE INDEX risk_blocks_lifted ON risk_blocks (kind, subject) WHERE lifted_at IS NOT NULL;
