-- Expands: kind 'own', a purchase by the seller. It changes no sum, but it uses up stock.
ALTER TABLE seller_events DROP CONSTRAINT seller_events_kind_check,
  ADD CONSTRAINT seller_events_kind_check CHECK (kind IN ('sale', 'refund', 'review', 'access', 'own')) NOT VALID;

CREATE OR REPLACE FUNCTION note_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- payments inserts all lines of an order in one statement, so the first line of a seller counts the order
  INSERT INTO seller_events (seller_id, kind, order_line_id, day, orders, sales, gross_cents, fee_cents)
    SELECT seller_id, 'sale', order_line_id, utc_day(earned_at),
      (row_number() OVER (PARTITION BY order_id, seller_id ORDER BY order_line_id) = 1)::int, 1, gross_cents, fee_cents
    FROM added WHERE NOT is_own_purchase(order_id, seller_id);
  INSERT INTO seller_events (seller_id, kind, order_line_id, day)
    SELECT seller_id, 'own', order_line_id, utc_day(earned_at) FROM added WHERE is_own_purchase(order_id, seller_id);
  RETURN NULL;
END $$;
