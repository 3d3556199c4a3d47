-- Previews: what everybody sees and hears of a product before buying.

CREATE TABLE product_previews (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  object_id uuid NOT NULL UNIQUE REFERENCES objects ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('image', 'audio', 'video', 'pdf')),
  content_type text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- what an image shows, or the name of a sample
  alt text NOT NULL CHECK (length(alt) BETWEEN 1 AND 200),
  position int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX product_previews_product ON product_previews (product_id, position);
CREATE TRIGGER product_previews_tell AFTER INSERT OR UPDATE OR DELETE ON product_previews
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
