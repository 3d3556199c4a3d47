-- How a seller's page looks. No row: the look of the shop. `user_id` restricts, because the erasure of an account also
-- releases the picture.
CREATE TABLE storefront_designs (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE RESTRICT,
  header_object_id uuid UNIQUE REFERENCES objects ON DELETE RESTRICT,
  -- the colour behind the name, and the colour of buttons and links; null: the colours of the shop
  header_color text CHECK (header_color ~ '^#[0-9a-f]{6}$'),
  accent_color text CHECK (accent_color ~ '^#[0-9a-f]{6}$'),
  -- each section once, in the seller's order
  sections text[] NOT NULL DEFAULT '{about,featured,products,reviews}'
    CHECK (cardinality(sections) = 4 AND sections @> '{about,featured,products,reviews}'),
  featured_product_id uuid REFERENCES products ON DELETE SET NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX storefront_designs_featured ON storefront_designs (featured_product_id) WHERE featured_product_id IS NOT NULL;
CREATE TRIGGER storefront_designs_tell AFTER INSERT OR UPDATE OR DELETE ON storefront_designs
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();

-- Links of a seller's page to other sites.
CREATE TABLE storefront_links (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  position int NOT NULL CHECK (position BETWEEN 1 AND 5),
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 40),
  url text NOT NULL CHECK (url LIKE 'https://%' AND length(url) <= 300),
  PRIMARY KEY (user_id, position)
);
CREATE TRIGGER storefront_links_tell AFTER INSERT OR UPDATE OR DELETE ON storefront_links
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
