-- Sales of a seller of which money was returned, newest first.
CREATE INDEX earnings_returned ON earnings (seller_id, earned_at DESC, order_line_id) WHERE returned_cents > 0;
