-- Entitlements, codes, licences, courses, downloads, gifts, and complaints about codes.

-- The right to open a paid line of a completed order.
CREATE TABLE entitlements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_line_id uuid NOT NULL UNIQUE REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  file_id uuid REFERENCES product_files ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  -- when the buyer archived it in the library
  archived_at timestamptz,
  -- all copies are given away or reserved for gifts, so access is revoked
  given_at timestamptz,
  -- the line comes from a claimed gift; the sale is the line of the giver
  is_gift boolean NOT NULL DEFAULT false,
  CHECK (given_at IS NULL OR revoked_at IS NOT NULL)
);
CREATE INDEX entitlements_user ON entitlements (user_id, created_at DESC);
CREATE INDEX entitlements_product ON entitlements (product_id, revoked_at);
CREATE INDEX entitlements_owned ON entitlements (user_id, product_id) WHERE revoked_at IS NULL;
CREATE INDEX entitlements_sold ON entitlements (product_id)
  WHERE (revoked_at IS NULL OR given_at IS NOT NULL) AND NOT is_gift;

-- Returns the mailbox of an address: upper case and a tag after a plus belong to the same mailbox.
CREATE FUNCTION mailbox_of(address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN regexp_replace(lower(address), '\+[^@]*@', '@');

-- Gifts: copies of a line that the buyer gives away by a link. Claiming a gift creates an order with one line.
CREATE TABLE gifts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  -- ended: the line was refunded
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'claimed', 'taken_back', 'ended')),
  -- number of links so far. A new link replaces the previous one; only the hash of the newest is stored
  links int NOT NULL DEFAULT 1 CHECK (links > 0),
  token_hash text NOT NULL UNIQUE,
  to_name text NOT NULL DEFAULT '' CHECK (length(to_name) <= 80),
  to_email text CHECK (length(to_email) <= 254),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 300),
  -- when the mail is due; null for a link that the giver passes on
  send_at timestamptz,
  sent_at timestamptz,
  claimed_by uuid REFERENCES users ON DELETE RESTRICT,
  claimed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- the idempotency key of the request
  give_key text CHECK (length(give_key) BETWEEN 1 AND 255),
  CHECK ((claimed_by IS NULL) = (claimed_at IS NULL)),
  CHECK (state NOT IN ('open', 'taken_back') OR claimed_by IS NULL),
  CHECK (state <> 'claimed' OR claimed_by IS NOT NULL)
);
CREATE INDEX gifts_line ON gifts (order_line_id);
CREATE INDEX gifts_claimer ON gifts (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX gifts_due ON gifts (send_at) WHERE state = 'open' AND sent_at IS NULL AND send_at IS NOT NULL;
CREATE UNIQUE INDEX gifts_key ON gifts (order_line_id, give_key) WHERE give_key IS NOT NULL;
CREATE INDEX gifts_address ON gifts (mailbox_of(to_email)) WHERE to_email IS NOT NULL;
ALTER TABLE order_lines ADD FOREIGN KEY (gift_id) REFERENCES gifts ON DELETE RESTRICT;
CREATE TRIGGER gifts_hooks AFTER INSERT ON gifts FOR EACH ROW EXECUTE FUNCTION tell_hooks_of_gift();
CREATE TRIGGER gifts_state_hooks AFTER UPDATE OF state ON gifts FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND NEW.state <> 'open') EXECUTE FUNCTION tell_hooks_of_gift();

-- Codes for sale, encrypted with SECRET. The fingerprint, a keyed hash, prevents that a code is sold twice.
CREATE TABLE codes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  ciphertext bytea NOT NULL,
  fingerprint text NOT NULL,
  -- void: refunded, and never sold again, because the buyer may have seen it
  state text NOT NULL DEFAULT 'free' CHECK (state IN ('free', 'held', 'sold', 'void', 'expired')),
  payment_id uuid REFERENCES payments ON DELETE RESTRICT,
  order_line_id uuid REFERENCES order_lines ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- order of arrival
  position bigint GENERATED ALWAYS AS IDENTITY,
  -- the code is not sold after this time
  expires_at timestamptz,
  -- when the buyer marked the code as used
  used_at timestamptz,
  -- the unclaimed gift that contains this sold code
  gift_id uuid REFERENCES gifts ON DELETE RESTRICT,
  -- when it was first shown to its owner; an unseen code is sold again after a refund
  seen_at timestamptz,
  -- PIN and serial number of a card, encrypted; `ciphertext` contains only the number
  sealed_parts bytea,
  CHECK (state NOT IN ('held', 'sold') OR (payment_id IS NOT NULL AND order_line_id IS NOT NULL)),
  CHECK (state <> 'free' OR (payment_id IS NULL AND order_line_id IS NULL))
);
CREATE INDEX codes_line ON codes (order_line_id) WHERE order_line_id IS NOT NULL;
CREATE INDEX codes_payment ON codes (payment_id) WHERE state = 'held';
CREATE UNIQUE INDEX codes_fingerprint ON codes (fingerprint);
CREATE UNIQUE INDEX codes_position ON codes (position);
CREATE INDEX codes_free ON codes (product_id, position) WHERE state = 'free';
CREATE INDEX codes_expiring ON codes (expires_at) WHERE state = 'free' AND expires_at IS NOT NULL;
CREATE INDEX codes_product ON codes (product_id, position DESC);
CREATE INDEX codes_gift ON codes (gift_id) WHERE gift_id IS NOT NULL;
CREATE TRIGGER codes_move BEFORE UPDATE ON codes FOR EACH ROW
  WHEN (NEW.state = 'free' AND OLD.state <> 'free') EXECUTE FUNCTION move_code();

-- Lets a buyer download a file for a limited time. Counted once a day per entitlement.
CREATE TABLE download_grants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  entitlement_id uuid NOT NULL REFERENCES entitlements ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  start_by timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  started_at timestamptz,
  -- a newer version; null for the bought version
  file_id uuid REFERENCES product_files ON DELETE RESTRICT,
  -- all files of the line, as one ZIP
  is_zip boolean NOT NULL DEFAULT false
);
CREATE INDEX download_grants_entitlement ON download_grants (entitlement_id, created_at DESC);

-- Log of revealed codes and downloaded files.
CREATE TABLE delivery_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entitlement_id uuid NOT NULL REFERENCES entitlements ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('download', 'reveal', 'read', 'copy', 'activate', 'deactivate')),
  ip_address text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX delivery_events_entitlement ON delivery_events (entitlement_id, created_at DESC);

-- Erasing an account clears the IP address of its events; any other change is refused.
CREATE FUNCTION refuse_change_but_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.ip_address IS NULL AND to_jsonb(NEW) - 'ip_address' = to_jsonb(OLD) - 'ip_address' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER delivery_events_append_only BEFORE UPDATE OR DELETE ON delivery_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting();

-- Codes that members added per day. Adding reveals whether a code is in the shop, so codes of others are counted.
CREATE TABLE code_lists (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  lines bigint NOT NULL,
  -- number of lines with codes of other sellers
  of_others int NOT NULL,
  PRIMARY KEY (user_id, day)
);

-- The stock at which the seller is notified; 5 codes without a row.
CREATE TABLE stock_limits (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  low_at int NOT NULL CHECK (low_at BETWEEN 0 AND 10000)
);

-- Members to notify when a product is back in stock. The row is deleted with the notice.
CREATE TABLE stock_waits (
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (product_id, user_id)
);
CREATE INDEX stock_waits_user ON stock_waits (user_id);

-- Licence terms of a product. Without a row, the default terms apply. A change applies to keys sold later.
CREATE TABLE license_terms (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  prefix text NOT NULL CHECK (prefix ~ '^[A-Z]{2,8}$'),
  devices_per_seat int NOT NULL CHECK (devices_per_seat BETWEEN 1 AND 100),
  -- days after the purchase; null for keys that do not expire
  valid_days int CHECK (valid_days BETWEEN 1 AND 3650)
);
-- the product page shows the terms, and every node caches it
CREATE TRIGGER license_terms_tell AFTER INSERT OR UPDATE OR DELETE ON license_terms FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();

-- Tokens with which a seller's software authenticates. Only the hash is stored.
CREATE TABLE license_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  -- the last characters, so that the seller recognises it
  ending text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_on date
);
CREATE INDEX license_tokens_product ON license_tokens (product_id, created_at);

-- One licence key per line. Its seats are the copies that were not refunded.
CREATE TABLE licenses (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_line_id uuid NOT NULL UNIQUE REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  -- encrypted with SECRET; the keyed hash finds a key that software sends
  ciphertext bytea NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  ending text NOT NULL,
  seats int NOT NULL CHECK (seats >= 0),
  devices_per_seat int NOT NULL CHECK (devices_per_seat BETWEEN 1 AND 100),
  expires_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text CHECK (length(revoke_reason) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL))
);
CREATE INDEX licenses_product ON licenses (product_id, created_at DESC, id DESC);
CREATE INDEX licenses_user ON licenses (user_id);
CREATE TRIGGER licenses_hooks AFTER INSERT ON licenses FOR EACH ROW EXECUTE FUNCTION tell_hooks_of_license();
CREATE TRIGGER licenses_end_hooks AFTER UPDATE OF revoked_at ON licenses FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION tell_hooks_of_license();

-- The devices of a key.
CREATE TABLE license_devices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  license_id uuid NOT NULL REFERENCES licenses ON DELETE RESTRICT,
  fingerprint_hash bytea NOT NULL,
  name text NOT NULL CHECK (length(name) <= 100),
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- the expiry of the newest licence file
  file_until timestamptz,
  -- a removed device occupies a place until its licence file expires
  removed_at timestamptz,
  UNIQUE (license_id, fingerprint_hash)
);

-- Replaced licence terms. An order gets the terms of the time when it was placed.
CREATE TABLE former_license_terms (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  prefix text NOT NULL,
  devices_per_seat int NOT NULL,
  valid_days int,
  ended_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX former_license_terms_product ON former_license_terms (product_id, ended_at);

-- Sections and lessons of a course in one order. A section is a heading for the lessons up to the next section.
CREATE TABLE course_parts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  is_section boolean NOT NULL,
  position int NOT NULL,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  -- Markdown
  text text NOT NULL DEFAULT '' CHECK (length(text) <= 20000),
  -- when the lesson opens: on a day (UTC), days after the purchase, or at once
  opens_on date,
  opens_after_days int CHECK (opens_after_days BETWEEN 1 AND 3650),
  -- everybody can see it on the product page
  is_preview boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- deleted by the seller, who may undo it; the progress of buyers remains
  deleted_at timestamptz,
  CHECK (opens_on IS NULL OR opens_after_days IS NULL),
  CHECK (NOT is_section OR (text = '' AND opens_on IS NULL AND opens_after_days IS NULL AND NOT is_preview))
);
CREATE INDEX course_parts_product ON course_parts (product_id, position);

CREATE TABLE lesson_files (
  file_id uuid PRIMARY KEY REFERENCES product_files ON DELETE CASCADE,
  lesson_id uuid NOT NULL REFERENCES course_parts ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lesson_files_lesson ON lesson_files (lesson_id, created_at);

CREATE TABLE lesson_progress (
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  lesson_id uuid NOT NULL REFERENCES course_parts ON DELETE RESTRICT,
  opened_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  PRIMARY KEY (order_line_id, user_id, lesson_id)
);
CREATE INDEX lesson_progress_user ON lesson_progress (user_id);
CREATE INDEX lesson_progress_lesson ON lesson_progress (lesson_id);

-- Certificates never change, except that erasing an account clears the name.
CREATE TABLE course_certificates (
  number text PRIMARY KEY,
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  name text CHECK (length(name) BETWEEN 1 AND 200),
  title text NOT NULL,
  seller text NOT NULL,
  lessons int NOT NULL CHECK (lessons > 0),
  completed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_line_id, user_id)
);
CREATE INDEX course_certificates_user ON course_certificates (user_id);

-- Where the owner of a line stopped in a file: a page, a position in a book, or seconds. Shared by all devices.
CREATE TABLE reading_places (
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  file_id uuid NOT NULL REFERENCES product_files ON DELETE CASCADE,
  place text NOT NULL CHECK (length(place) BETWEEN 1 AND 100),
  -- progress in the file, from 0 to 1
  share real NOT NULL CHECK (share BETWEEN 0 AND 1),
  moved_at timestamptz NOT NULL,
  PRIMARY KEY (order_line_id, user_id, file_id)
);
CREATE INDEX reading_places_user ON reading_places (user_id);
CREATE INDEX reading_places_file ON reading_places (file_id);

-- Notifies open pages of the giver and the claimer, which load the gift again.
CREATE FUNCTION tell_giver() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', o.user_id || ' orders') FROM order_lines l JOIN orders o ON o.id = l.order_id
    WHERE l.id = NEW.order_line_id;
  IF NEW.claimed_by IS NOT NULL THEN PERFORM pg_notify('members', NEW.claimed_by || ' orders'); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER gifts_tell AFTER UPDATE OF state, quantity ON gifts FOR EACH ROW EXECUTE FUNCTION tell_giver();

-- Complaints: one case for each code that its owner reports. The seller answers until `answer_by`, then staff decide.
CREATE TABLE code_cases (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code_id uuid NOT NULL UNIQUE REFERENCES codes ON DELETE RESTRICT,
  -- the paid line; of a gift, the line of the giver
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  seller_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  reason text NOT NULL CHECK (reason IN ('invalid', 'used', 'amount', 'expired', 'other')),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
  -- over: the code was revoked, for example by a refund of its order
  state text NOT NULL DEFAULT 'seller' CHECK (state IN ('seller', 'staff', 'refunding', 'replaced', 'refunded', 'rejected', 'over')),
  answer_by timestamptz NOT NULL,
  -- the seller's answer to staff, and the reason of the decision for the buyer
  seller_words text NOT NULL DEFAULT '' CHECK (length(seller_words) <= 500),
  words text NOT NULL DEFAULT '' CHECK (length(words) <= 500),
  decided_by uuid REFERENCES users ON DELETE RESTRICT,
  replacement_id uuid REFERENCES codes ON DELETE RESTRICT,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  -- 'refunding' until this refund is complete; 'staff' again if it failed
  refund_id uuid REFERENCES refunds ON DELETE RESTRICT,
  CHECK ((state IN ('seller', 'staff')) = (decided_at IS NULL)),
  CHECK ((state = 'replaced') = (replacement_id IS NOT NULL))
);
CREATE INDEX code_cases_seller ON code_cases (seller_id, created_at DESC, id DESC);
CREATE INDEX code_cases_user ON code_cases (user_id, created_at DESC);
CREATE INDEX code_cases_line ON code_cases (order_line_id);
CREATE INDEX code_cases_due ON code_cases (answer_by) WHERE state IN ('seller', 'staff');
CREATE INDEX code_cases_refund ON code_cases (refund_id) WHERE state IN ('refunding', 'staff');

-- Products whose codes a supplier creates at the sale.
CREATE TABLE supplied_products (
  product_id uuid PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  -- the supplier's id of the product
  sku text NOT NULL CHECK (length(sku) BETWEEN 1 AND 100),
  -- how long the shop requests the codes of a sale before it refunds the sale
  window_minutes int NOT NULL CHECK (window_minutes BETWEEN 1 AND 1440),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One request per line. The line's id is the id of the request, so a retry returns the same codes.
CREATE TABLE supply_requests (
  order_line_id uuid PRIMARY KEY REFERENCES order_lines ON DELETE RESTRICT,
  payment_id uuid NOT NULL REFERENCES payments ON DELETE RESTRICT,
  product_id uuid NOT NULL REFERENCES products ON DELETE RESTRICT,
  sku text NOT NULL,
  quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  -- ended: the window is over or the line was refunded; codes that arrive later are not sold
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'ended')),
  ends_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,
  asked_at timestamptz,
  -- why the last answer contained no codes; never contains a code
  last_error text CHECK (length(last_error) <= 200),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX supply_requests_waiting ON supply_requests (ends_at) WHERE state = 'waiting';

-- Notifies open pages of the buyer, which load the order again.
CREATE FUNCTION tell_of_supply() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('members', o.user_id || ' orders') FROM order_lines l JOIN orders o ON o.id = l.order_id
    WHERE l.id = NEW.order_line_id;
  RETURN NULL;
END $$;
CREATE TRIGGER supply_requests_tell AFTER UPDATE OF state ON supply_requests FOR EACH ROW EXECUTE FUNCTION tell_of_supply();

-- Marks codes as seen when a reveal is logged, so that no route can forget it.
CREATE FUNCTION mark_codes_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE codes c SET seen_at = NEW.created_at FROM entitlements e
    WHERE e.id = NEW.entitlement_id AND c.order_line_id = e.order_line_id AND c.state = 'sold' AND c.gift_id IS NULL AND c.seen_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_events_seen AFTER INSERT ON delivery_events FOR EACH ROW
  WHEN (NEW.kind = 'reveal') EXECUTE FUNCTION mark_codes_seen();
