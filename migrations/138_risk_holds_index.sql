-- One by one: the hold of a decision, which keeps it.
CREATE INDEX risk_holds_decision ON risk_holds (decision_id);
