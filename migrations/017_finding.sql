-- What the sums of an account need, in one index: an account with thousands of orders is added up without reading them.
CREATE INDEX orders_sums ON orders (user_id, status) INCLUDE (total_cents);
