-- Bad codes: one case for each code that its owner reports. The seller answers until `answer_by`, then staff decide.
CREATE TABLE code_cases (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code_id uuid NOT NULL UNIQUE REFERENCES codes ON DELETE RESTRICT,
  -- the line that was paid: of a gift, the giver's
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  reason text NOT NULL CHECK (reason IN ('invalid', 'used', 'amount', 'expired', 'other')),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
  -- over: the code was taken back meanwhile, for example by a refund of its order
  state text NOT NULL DEFAULT 'seller' CHECK (state IN ('seller', 'staff', 'replaced', 'refunded', 'rejected', 'over')),
  answer_by timestamptz NOT NULL,
  -- what the seller says to staff, and the words of the decision for the buyer
  seller_words text NOT NULL DEFAULT '' CHECK (length(seller_words) <= 500),
  words text NOT NULL DEFAULT '' CHECK (length(words) <= 500),
  decided_by uuid REFERENCES users ON DELETE RESTRICT,
  replacement_id uuid REFERENCES codes ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  CHECK ((state IN ('seller', 'staff')) = (decided_at IS NULL)),
  CHECK ((state = 'replaced') = (replacement_id IS NOT NULL))
);
CREATE INDEX code_cases_seller ON code_cases (seller_id, created_at DESC, id DESC);
CREATE INDEX code_cases_user ON code_cases (user_id, created_at DESC);
CREATE INDEX code_cases_line ON code_cases (order_line_id);
CREATE INDEX code_cases_due ON code_cases (answer_by) WHERE state IN ('seller', 'staff');
