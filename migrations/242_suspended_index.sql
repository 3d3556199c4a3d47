-- A job compares the sellers of these products with the suspended sellers every five minutes.
CREATE INDEX CONCURRENTLY products_suspended ON products (seller_id) WHERE is_suspended;
