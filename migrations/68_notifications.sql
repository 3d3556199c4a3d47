-- The events of orders with what the buyer paid: a discount code takes it off the lines.
CREATE OR REPLACE FUNCTION tell_hooks_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
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
