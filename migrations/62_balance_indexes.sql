-- One by one: the balance of an account up to a moment from the index alone; and the sales of a seller that are on hold.
CREATE INDEX ledger_account_time ON ledger_entries (account, created_at) INCLUDE (amount_cents, payment_id);
CREATE INDEX earnings_held ON earnings (seller_id, available_at);
