-- One shown review per person and product. Of several, the newest stays.

UPDATE reviews r SET hidden_at = now() WHERE hidden_at IS NULL AND user_id IS NOT NULL AND EXISTS (
  SELECT FROM reviews n WHERE n.user_id = r.user_id AND n.product_id = r.product_id AND n.hidden_at IS NULL
    AND (n.created_at, n.id) > (r.created_at, r.id));
