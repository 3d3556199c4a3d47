-- One by one: one shown review of a person for each product.

CREATE UNIQUE INDEX CONCURRENTLY reviews_one_of_person ON reviews (user_id, product_id) WHERE hidden_at IS NULL AND user_id IS NOT NULL;
