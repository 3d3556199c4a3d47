-- Outgoing webhooks: addresses of sellers and of the shop, the events for them, and each attempt to deliver one.

CREATE TABLE hook_endpoints (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- an administrator's: events of all sellers
  is_for_shop boolean NOT NULL DEFAULT false,
  url text NOT NULL CHECK (length(url) BETWEEN 1 AND 1000),
  events text[] NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 20),
  -- sealed under SECRET; the former one signs too until `former_until`
  secret bytea NOT NULL,
  former_secret bytea,
  former_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_success_at timestamptz,
  -- since when each attempt has failed
  failing_since timestamptz,
  disabled_at timestamptz
);
CREATE INDEX hook_endpoints_user ON hook_endpoints (user_id, created_at);
CREATE INDEX hook_endpoints_shop ON hook_endpoints (id) WHERE is_for_shop;

CREATE TABLE hook_messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  endpoint_id uuid NOT NULL REFERENCES hook_endpoints ON DELETE CASCADE,
  type text NOT NULL,
  -- the bytes that are signed and sent, the same in each attempt
  body text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
  -- in the present series; a replay starts another
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
  -- the HTTP status; null without an answer
  status int,
  milliseconds int NOT NULL,
  -- the start of the answer's body, or what went wrong
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
  PERFORM graphile_worker.add_job('send_hook', json_build_object('id', message), job_key => 'hook:' || message);
  RETURN message;
END $$;

-- Triggers queue the events, so that each is queued in the transaction that makes it true, whoever writes. `seller` is null
-- for what only the shop hears.
CREATE FUNCTION tell_hooks(event text, seller uuid, data jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_hook(id, event, data) FROM hook_endpoints
    WHERE disabled_at IS NULL AND event = ANY (events) AND CASE WHEN seller IS NULL THEN is_for_shop
      ELSE user_id = seller AND NOT is_for_shop END;
END $$;

CREATE FUNCTION dollars(cents bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT (cents / 100)::text || '.' || lpad((cents % 100)::text, 2, '0') $$;

-- A seller hears of the own lines, the shop of all.
CREATE FUNCTION tell_hooks_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := 'order.' || NEW.status;
  share record;
BEGIN
  IF NOT EXISTS (SELECT FROM hook_endpoints WHERE disabled_at IS NULL) THEN RETURN NULL; END IF;
  FOR share IN
    SELECT seller_id, sum(price_cents * quantity)::bigint AS cents, jsonb_agg(jsonb_build_object('lineId', id,
        'productId', product_id, 'title', title, 'quantity', quantity, 'price', dollars(price_cents)) ORDER BY position) AS lines
      FROM order_lines WHERE order_id = NEW.id GROUP BY GROUPING SETS ((seller_id), ())
  LOOP
    PERFORM tell_hooks(event, share.seller_id, jsonb_build_object('orderId', NEW.id, 'currency', NEW.currency,
      'total', dollars(share.cents), 'lines', share.lines));
  END LOOP;
  RETURN NULL;
END $$;
-- an order that credit covers is inserted and then completed
CREATE TRIGGER orders_hooks AFTER UPDATE OF status ON orders FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status IN ('completed', 'refunded')) EXECUTE FUNCTION tell_hooks_of_order();

CREATE FUNCTION tell_hooks_of_product() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  data jsonb := jsonb_build_object('productId', NEW.id, 'title', NEW.title, 'price', dollars(NEW.price_cents),
    'categoryId', NEW.category_id, 'isListed', NEW.is_listed);
BEGIN
  PERFORM tell_hooks('product.updated', NEW.seller_id, data);
  PERFORM tell_hooks('product.updated', NULL, data);
  RETURN NULL;
END $$;
CREATE TRIGGER products_hooks AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.title, OLD.description, OLD.price_cents, OLD.category_id, OLD.image_object_id, OLD.file_id, OLD.is_listed)
    IS DISTINCT FROM (NEW.title, NEW.description, NEW.price_cents, NEW.category_id, NEW.image_object_id, NEW.file_id, NEW.is_listed))
  EXECUTE FUNCTION tell_hooks_of_product();

CREATE FUNCTION tell_hooks_of_review() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  data jsonb := jsonb_build_object('reviewId', NEW.id, 'productId', NEW.product_id, 'stars', NEW.stars, 'text', NEW.body);
BEGIN
  PERFORM tell_hooks('review.created', (SELECT seller_id FROM products WHERE id = NEW.product_id), data);
  PERFORM tell_hooks('review.created', NULL, data);
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_hooks AFTER INSERT ON reviews FOR EACH ROW
  WHEN (NEW.order_line_id IS NOT NULL) EXECUTE FUNCTION tell_hooks_of_review();
