-- Kinds of goods: licence keys beside files and codes. A product of codes without a free one is not listed.

ALTER TABLE products
  DROP CONSTRAINT products_delivery_check,
  ADD CONSTRAINT products_delivery_check CHECK (delivery IN ('file', 'code', 'license')),
  -- its stock is used up; written when that changes, not at each sale
  ADD COLUMN is_out_of_stock boolean NOT NULL DEFAULT false;
ALTER TABLE order_lines
  DROP CONSTRAINT order_lines_delivery_check,
  DROP CONSTRAINT order_lines_check,
  ADD CONSTRAINT order_lines_delivery_check CHECK (delivery IN ('file', 'code', 'license')),
  ADD CONSTRAINT order_lines_check CHECK (delivery <> 'file' OR file_id IS NOT NULL);
ALTER TABLE delivery_events
  DROP CONSTRAINT delivery_events_kind_check,
  ADD CONSTRAINT delivery_events_kind_check CHECK (kind IN ('download', 'reveal', 'copy', 'activate', 'deactivate'));

-- PostgreSQL 15 cannot change the expression of a generated column, so the column is made again with what reads it.
DO $$
DECLARE
  definitions text[] := ARRAY (SELECT indexdef FROM pg_indexes
    WHERE schemaname = current_schema AND tablename = 'products' AND indexdef LIKE '%is_listed%')
    || ARRAY (SELECT pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgrelid = 'products'::regclass AND NOT tgisinternal AND pg_get_triggerdef(oid) LIKE '%is_listed%');
  definition text;
  reader text;
BEGIN
  FOR reader IN SELECT tgname FROM pg_trigger
    WHERE tgrelid = 'products'::regclass AND NOT tgisinternal AND pg_get_triggerdef(oid) LIKE '%is_listed%'
  LOOP
    EXECUTE format('DROP TRIGGER %I ON products', reader);
  END LOOP;
  ALTER TABLE products DROP COLUMN is_listed;
  ALTER TABLE products ADD COLUMN is_listed boolean NOT NULL GENERATED ALWAYS AS (
    is_active AND taken_down IS NULL AND NOT is_suspended AND deleted_at IS NULL AND NOT is_out_of_stock
    AND (delivery <> 'file' OR file_id IS NOT NULL)
  ) STORED;
  FOREACH definition IN ARRAY definitions LOOP EXECUTE definition; END LOOP;
END $$;
