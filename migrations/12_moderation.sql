-- Reports of members, the decisions of staff about them, and suspensions of sellers.

-- One open case for each reported product or review. Later reports join it.
CREATE TABLE report_cases (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  -- null: the case is about the product itself
  review_id uuid REFERENCES reviews ON DELETE CASCADE,
  -- time of the newest report or answer
  last_at timestamptz NOT NULL DEFAULT now(),
  -- waits for staff: a report or an answer of the seller is new
  is_waiting boolean NOT NULL DEFAULT true,
  decision text CHECK (decision IN ('kept', 'taken_down', 'restored')),
  decided_at timestamptz,
  decided_by uuid REFERENCES users ON DELETE RESTRICT,
  -- the seller's answer to the take-down
  answer text CHECK (length(answer) <= 1000),
  answered_at timestamptz,
  -- the member of staff who works on the case; null before one takes it
  taken_by uuid REFERENCES users ON DELETE RESTRICT,
  -- the question of staff to the seller, and the deadline
  question text CHECK (length(question) BETWEEN 1 AND 1000),
  answer_by timestamptz,
  CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NULL) = (decided_by IS NULL)),
  CHECK (decision IS NOT NULL OR is_waiting),
  CONSTRAINT report_cases_question_has_end CHECK ((question IS NULL) = (answer_by IS NULL)),
  -- staff ask only sellers, not the author of a review
  CONSTRAINT report_cases_question_is_for_seller CHECK (question IS NULL OR review_id IS NULL)
);
CREATE UNIQUE INDEX report_cases_open ON report_cases (product_id, review_id) NULLS NOT DISTINCT WHERE decision IS NULL;
CREATE INDEX report_cases_queue ON report_cases (is_waiting, last_at DESC, id DESC);
CREATE INDEX report_cases_product ON report_cases (product_id, decided_at DESC);
CREATE INDEX report_cases_review ON report_cases (review_id) WHERE review_id IS NOT NULL;

CREATE TABLE reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  case_id uuid NOT NULL REFERENCES report_cases ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  product_id uuid NOT NULL,
  review_id uuid,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 20),
  note text NOT NULL CHECK (length(note) <= 1000),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- one report per person and product or review
  UNIQUE NULLS NOT DISTINCT (user_id, product_id, review_id)
);
CREATE INDEX reports_case ON reports (case_id, created_at DESC);

-- Room: identity

-- A member who must not sell for some time. A running suspension has no `lifted_at`.
CREATE TABLE suspensions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  -- shown to the seller
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  made_by uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- null: until staff lift it
  ends_at timestamptz CHECK (ends_at > created_at),
  lifted_at timestamptz,
  -- null: the suspension expired
  lifted_by uuid REFERENCES users ON DELETE RESTRICT
);
CREATE UNIQUE INDEX suspensions_running ON suspensions (seller_id) WHERE lifted_at IS NULL;
CREATE INDEX suspensions_seller ON suspensions (seller_id, created_at DESC);

-- Products are off sale while their seller is suspended or the account is about to be erased.
CREATE FUNCTION is_seller_suspended(seller uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM suspensions WHERE seller_id = seller AND lifted_at IS NULL)
    OR EXISTS (SELECT FROM users WHERE id = seller AND erase_at IS NOT NULL)
$$;

-- The lock of the user serialises a new product and a suspension of its seller, so that no product is missed.
CREATE FUNCTION suspend_new_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.seller_id FOR SHARE;
  NEW.is_suspended := is_seller_suspended(NEW.seller_id);
  RETURN NEW;
END $$;
CREATE TRIGGER products_suspend_new BEFORE INSERT ON products FOR EACH ROW EXECUTE FUNCTION suspend_new_product();
