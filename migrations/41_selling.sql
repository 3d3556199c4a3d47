-- Until when the seller of a product has seen its reviews. Only later ones wait for an answer.
CREATE TABLE seen_reviews (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  seen_at timestamptz NOT NULL
);
