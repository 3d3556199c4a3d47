-- Counts the sample reviews of each product, so that a product's rating can say how many of its reviews are samples.
ALTER TABLE ratings ADD COLUMN samples int NOT NULL DEFAULT 0 CHECK (samples >= 0);
UPDATE ratings SET samples = (SELECT count(*) FROM reviews
  WHERE product_id = ratings.product_id AND sample_author IS NOT NULL AND hidden_at IS NULL);

CREATE OR REPLACE FUNCTION tally_review() RETURNS trigger LANGUAGE plpgsql AS $$
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
