-- One public answer of the seller to a review.
CREATE TABLE review_answers (
  review_id uuid PRIMARY KEY REFERENCES reviews ON DELETE CASCADE,
  body text NOT NULL CHECK (length(body) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT now(),
  edited_at timestamptz,
  -- why staff hid it, in the words that the seller reads
  taken_down text CHECK (length(taken_down) BETWEEN 1 AND 1100)
);
CREATE TRIGGER review_answers_tell AFTER INSERT OR UPDATE OR DELETE ON review_answers FOR EACH STATEMENT EXECUTE FUNCTION tell_reviews();
