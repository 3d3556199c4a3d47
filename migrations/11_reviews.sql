-- Reviews and the sums of ratings.

-- At most one review per purchase. Reviews of the demo store have an author's name instead of a purchase.
CREATE TABLE reviews (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  order_line_id uuid UNIQUE REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid REFERENCES users ON DELETE RESTRICT,
  sample_author text CHECK (length(sample_author) BETWEEN 1 AND 80),
  stars int NOT NULL CHECK (stars BETWEEN 1 AND 5),
  body text NOT NULL DEFAULT '' CHECK (length(body) <= 2000),
  created_at timestamptz NOT NULL DEFAULT now(),
  edited_at timestamptz,
  -- set when the purchase is refunded or staff hide the review: it is not shown or counted
  hidden_at timestamptz,
  -- why staff hid the review, as its author reads it
  taken_down text CHECK (length(taken_down) BETWEEN 1 AND 1100),
  CHECK ((order_line_id IS NULL) = (sample_author IS NOT NULL)),
  CHECK ((user_id IS NULL) = (sample_author IS NOT NULL)),
  CONSTRAINT reviews_taken_down_is_hidden CHECK (taken_down IS NULL OR hidden_at IS NOT NULL)
);
CREATE INDEX reviews_product ON reviews (product_id, created_at DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX reviews_samples ON reviews (id) WHERE sample_author IS NOT NULL;
CREATE INDEX reviews_person ON reviews (user_id, product_id) WHERE user_id IS NOT NULL;
CREATE TRIGGER reviews_hooks AFTER INSERT ON reviews FOR EACH ROW
  WHEN (NEW.order_line_id IS NOT NULL) EXECUTE FUNCTION tell_hooks_of_review();

-- Room: catalogue

-- Review counts per number of stars. The trigger below maintains them, so that no page counts reviews.
CREATE TABLE ratings (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE RESTRICT,
  stars_1 int NOT NULL DEFAULT 0 CHECK (stars_1 >= 0),
  stars_2 int NOT NULL DEFAULT 0 CHECK (stars_2 >= 0),
  stars_3 int NOT NULL DEFAULT 0 CHECK (stars_3 >= 0),
  stars_4 int NOT NULL DEFAULT 0 CHECK (stars_4 >= 0),
  stars_5 int NOT NULL DEFAULT 0 CHECK (stars_5 >= 0),
  -- how many of the reviews are samples of the demo store
  samples int NOT NULL DEFAULT 0 CHECK (samples >= 0)
);

CREATE TABLE store_rating (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  stars_1 int NOT NULL DEFAULT 0 CHECK (stars_1 >= 0),
  stars_2 int NOT NULL DEFAULT 0 CHECK (stars_2 >= 0),
  stars_3 int NOT NULL DEFAULT 0 CHECK (stars_3 >= 0),
  stars_4 int NOT NULL DEFAULT 0 CHECK (stars_4 >= 0),
  stars_5 int NOT NULL DEFAULT 0 CHECK (stars_5 >= 0),
  samples int NOT NULL DEFAULT 0 CHECK (samples >= 0)
);
INSERT INTO store_rating DEFAULT VALUES;

-- Updates the count of one review. `was` and `is_now` are its stars before and after the change, 0 while the review is
-- hidden or does not exist. Locks the product's row before the store's.
CREATE FUNCTION tally_review() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  review reviews := coalesce(NEW, OLD);
  was int := 0;
  is_now int := 0;
  sample int;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.hidden_at IS NULL THEN was := OLD.stars; END IF;
  IF TG_OP <> 'DELETE' AND NEW.hidden_at IS NULL THEN is_now := NEW.stars; END IF;
  IF was = is_now THEN RETURN NULL; END IF;
  sample := CASE WHEN review.sample_author IS NULL THEN 0 ELSE (is_now > 0)::int - (was > 0)::int END;
  INSERT INTO ratings (product_id) VALUES (review.product_id) ON CONFLICT DO NOTHING;
  UPDATE ratings SET
    stars_1 = stars_1 + (is_now = 1)::int - (was = 1)::int,
    stars_2 = stars_2 + (is_now = 2)::int - (was = 2)::int,
    stars_3 = stars_3 + (is_now = 3)::int - (was = 3)::int,
    stars_4 = stars_4 + (is_now = 4)::int - (was = 4)::int,
    stars_5 = stars_5 + (is_now = 5)::int - (was = 5)::int,
    samples = samples + sample
  WHERE product_id = review.product_id;
  UPDATE store_rating SET
    stars_1 = stars_1 + (is_now = 1)::int - (was = 1)::int,
    stars_2 = stars_2 + (is_now = 2)::int - (was = 2)::int,
    stars_3 = stars_3 + (is_now = 3)::int - (was = 3)::int,
    stars_4 = stars_4 + (is_now = 4)::int - (was = 4)::int,
    stars_5 = stars_5 + (is_now = 5)::int - (was = 5)::int,
    samples = samples + sample;
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_tally AFTER INSERT OR UPDATE OR DELETE ON reviews FOR EACH ROW EXECUTE FUNCTION tally_review();

CREATE FUNCTION tell_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('reviews', '');
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_tell AFTER INSERT OR UPDATE OR DELETE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION tell_reviews();

CREATE FUNCTION rate_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  reviews int := NEW.stars_1 + NEW.stars_2 + NEW.stars_3 + NEW.stars_4 + NEW.stars_5;
  stars int := NEW.stars_1 + 2 * NEW.stars_2 + 3 * NEW.stars_3 + 4 * NEW.stars_4 + 5 * NEW.stars_5;
  key bigint := coalesce(round(stars::numeric / nullif(reviews, 0), 1) * 10000000 + reviews, 0);
BEGIN
  UPDATE products SET rated = key WHERE id = NEW.product_id AND rated <> key;
  RETURN NULL;
END $$;
-- Deferred to the end of the transaction, so that a checkout, which locks these products, waits only for the commit.
CREATE CONSTRAINT TRIGGER ratings_rate AFTER INSERT OR UPDATE ON ratings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION rate_product();
