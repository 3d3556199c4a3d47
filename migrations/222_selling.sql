-- Expands: imports may be files of WooCommerce.
ALTER TABLE product_imports
  DROP CONSTRAINT product_imports_format_check,
  ADD CONSTRAINT product_imports_format_check CHECK (format IN ('primo', 'gumroad', 'shopify', 'woocommerce'));
