-- Sales of a seller whose payment is disputed: their money is pending.
CREATE INDEX earnings_disputed ON earnings (seller_id, available_at) WHERE is_disputed;
