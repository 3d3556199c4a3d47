-- Push subscriptions and outgoing webhooks.

-- Browsers that receive push messages. A subscription belongs to the session that made it and ends with it.
CREATE TABLE push_subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  endpoint text NOT NULL UNIQUE CHECK (length(endpoint) <= 1000),
  p256dh text NOT NULL CHECK (length(p256dh) <= 100),
  auth text NOT NULL CHECK (length(auth) <= 40),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);

-- Addresses for webhooks of sellers and of the shop.
CREATE TABLE hook_endpoints (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- an endpoint of an administrator: it receives events of all sellers
  is_for_shop boolean NOT NULL DEFAULT false,
  url text NOT NULL CHECK (length(url) BETWEEN 1 AND 1000),
  events text[] NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 20),
  -- encrypted with SECRET; until `former_until`, the former secret signs too
  secret bytea NOT NULL,
  former_secret bytea,
  former_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_success_at timestamptz,
  -- start of the current series of failures
  failing_since timestamptz,
  disabled_at timestamptz,
  -- failed attempts since the last success
  failures int NOT NULL DEFAULT 0,
  paused_until timestamptz
);
CREATE INDEX hook_endpoints_user ON hook_endpoints (user_id, created_at);
CREATE INDEX hook_endpoints_shop ON hook_endpoints (id) WHERE is_for_shop;

CREATE TABLE hook_messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  endpoint_id uuid NOT NULL REFERENCES hook_endpoints ON DELETE CASCADE,
  type text NOT NULL,
  -- the bytes that are signed and sent, the same in every attempt
  body text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
  -- attempts since the message was queued or last replayed
  attempts int NOT NULL DEFAULT 0,
  next_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX hook_messages_endpoint ON hook_messages (endpoint_id, created_at DESC, id DESC);
CREATE INDEX hook_messages_age ON hook_messages (created_at);

CREATE TABLE hook_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES hook_messages ON DELETE CASCADE,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- the HTTP status; null if there was no answer
  status int,
  milliseconds int NOT NULL,
  -- the start of the answer's body, or the error
  answer text NOT NULL CHECK (length(answer) <= 2000)
);
CREATE INDEX hook_attempts_message ON hook_attempts (message_id, id DESC);

CREATE FUNCTION queue_hook(endpoint uuid, event text, data jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  message uuid;
BEGIN
  INSERT INTO hook_messages (endpoint_id, type, body) VALUES (endpoint, event, jsonb_build_object('type', event,
      'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)::text)
    RETURNING id INTO message;
  PERFORM graphile_worker.add_job('send_hook', json_build_object('id', message),
    queue_name => 'hooks:' || (SELECT user_id FROM hook_endpoints WHERE id = endpoint), job_key => 'hook:' || message);
  RETURN message;
END $$;

-- Queues events in the transaction of the change. `seller` is null for an event that only the shop receives.
CREATE FUNCTION tell_hooks(event text, seller uuid, data jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_hook(id, event, data) FROM hook_endpoints
    WHERE disabled_at IS NULL AND event = ANY (events) AND CASE WHEN seller IS NULL THEN is_for_shop
      ELSE user_id = seller AND NOT is_for_shop END;
END $$;

CREATE FUNCTION dollars(cents bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT (cents / 100)::text || '.' || lpad((cents % 100)::text, 2, '0') $$;

-- Queues events of an order. Amounts are prices after discounts.
CREATE FUNCTION tell_hooks_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := 'order.' || NEW.status;
  share record;
BEGIN
  IF NOT EXISTS (SELECT FROM hook_endpoints WHERE disabled_at IS NULL) THEN RETURN NULL; END IF;
  FOR share IN
    SELECT seller_id, sum(price_cents * quantity - discount_cents)::bigint AS cents, jsonb_agg(jsonb_build_object('lineId', id,
        'productId', product_id, 'title', title, 'quantity', quantity, 'price', dollars(price_cents),
        'discount', dollars(discount_cents)) ORDER BY position) AS lines
      FROM order_lines WHERE order_id = NEW.id GROUP BY GROUPING SETS ((seller_id), ())
  LOOP
    PERFORM tell_hooks(event, share.seller_id, jsonb_build_object('orderId', NEW.id, 'currency', NEW.currency,
      'total', dollars(share.cents), 'lines', share.lines));
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_hooks_of_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  data jsonb := jsonb_build_object('productId', NEW.id, 'title', NEW.title, 'price', dollars(NEW.price_cents),
    'suggested', dollars(NEW.suggested_cents), 'categoryId', NEW.category_id, 'isListed', NEW.is_listed);
BEGIN
  PERFORM tell_hooks('product.updated', NEW.seller_id, data);
  PERFORM tell_hooks('product.updated', NULL, data);
  RETURN NULL;
END $$;

CREATE FUNCTION tell_hooks_of_review() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  data jsonb := jsonb_build_object('reviewId', NEW.id, 'productId', NEW.product_id, 'stars', NEW.stars, 'text', NEW.body);
BEGIN
  PERFORM tell_hooks('review.created', (SELECT seller_id FROM products WHERE id = NEW.product_id), data);
  PERFORM tell_hooks('review.created', NULL, data);
  RETURN NULL;
END $$;

-- Webhook events of refunds, licences and gifts. A seller receives the events of own lines, the shop receives all. No
-- event contains the buyer's name.
CREATE FUNCTION has_hooks() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT EXISTS (SELECT FROM hook_endpoints WHERE disabled_at IS NULL) $$;

CREATE FUNCTION tell_hooks_of_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_hooks() THEN
    PERFORM tell_hooks('refund.created', NEW.seller_id, jsonb_build_object('orderId', NEW.order_id, 'currency', 'USD',
      'amount', dollars(NEW.gross_cents), 'fee', dollars(NEW.fee_cents)));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_hooks_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_hooks() THEN
    PERFORM tell_hooks('refund.created', NULL, jsonb_build_object('refundId', NEW.id, 'orderId', order_id,
      'currency', 'USD', 'amount', dollars(NEW.amount_cents))) FROM payments WHERE id = NEW.payment_id;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_hooks_of_license() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE WHEN NEW.revoked_at IS NULL THEN 'license.created' ELSE 'license.revoked' END;
  line record;
  data jsonb;
BEGIN
  IF NOT has_hooks() THEN RETURN NULL; END IF;
  SELECT id, order_id, seller_id INTO line FROM order_lines WHERE id = NEW.order_line_id;
  data := jsonb_build_object('licenseId', NEW.id, 'orderId', line.order_id, 'lineId', line.id, 'productId', NEW.product_id,
    'keyEnding', NEW.ending, 'seats', NEW.seats, 'expiresAt', NEW.expires_at);
  PERFORM tell_hooks(event, line.seller_id, data);
  PERFORM tell_hooks(event, NULL, data);
  RETURN NULL;
END $$;

CREATE FUNCTION tell_hooks_of_gift() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE NEW.state WHEN 'open' THEN 'gift.created' WHEN 'claimed' THEN 'gift.claimed' ELSE 'gift.ended' END;
  line record;
  data jsonb;
BEGIN
  IF NOT has_hooks() THEN RETURN NULL; END IF;
  SELECT id, order_id, seller_id, product_id INTO line FROM order_lines WHERE id = NEW.order_line_id;
  data := jsonb_build_object('giftId', NEW.id, 'orderId', line.order_id, 'lineId', line.id, 'productId', line.product_id,
    'quantity', NEW.quantity);
  PERFORM tell_hooks(event, line.seller_id, data);
  PERFORM tell_hooks(event, NULL, data);
  RETURN NULL;
END $$;

-- Webhook events of disputes. A warning moves no money, so it causes no event until it becomes an inquiry or a claim.
-- Every dispute.closed follows a dispute.opened, even if both happen in one change.
CREATE FUNCTION tell_hooks_of_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text;
  data jsonb := jsonb_build_object('disputeId', NEW.id, 'orderId', NEW.order_id, 'reason', NEW.reason, 'stage', NEW.stage,
    'state', NEW.state);
  is_first boolean := TG_OP = 'INSERT' OR OLD.stage = 'warning';
  is_opened boolean := is_first OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL);
  is_closed boolean := NEW.ended_at IS NOT NULL AND (is_first OR OLD.ended_at IS NULL);
BEGIN
  IF NOT has_hooks() THEN RETURN NULL; END IF;
  FOR event IN SELECT 'dispute.opened' WHERE is_opened UNION ALL SELECT 'dispute.closed' WHERE is_closed LOOP
    PERFORM tell_hooks(event, seller_id, data) FROM (SELECT DISTINCT seller_id FROM order_lines WHERE order_id = NEW.order_id) sellers;
    PERFORM tell_hooks(event, NULL, data || jsonb_build_object('currency', 'USD', 'amount', dollars(NEW.amount_cents),
      'provider', NEW.provider));
  END LOOP;
  RETURN NULL;
END $$;
