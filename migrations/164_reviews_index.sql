-- One by one: the reviews of a person for a product.

CREATE INDEX CONCURRENTLY reviews_person ON reviews (user_id, product_id) WHERE user_id IS NOT NULL;
