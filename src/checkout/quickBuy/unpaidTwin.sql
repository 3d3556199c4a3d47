-- The newest unpaid direct purchase with equal lines and credit, five minutes left and no payment in progress.
-- @name findUnpaidTwin
SELECT o.id FROM orders o
WHERE o.user_id = :userId AND o.status = 'pending' AND o.source = 'product'
  AND o.credit_cents = :creditCents AND o.expires_at > now() + interval '5 minutes'
  AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id
    AND p.status NOT IN ('creating', 'created', 'declined', 'canceled', 'expired', 'failed'))
  AND (SELECT jsonb_agg(jsonb_build_object('productId', l.product_id, 'quantity', l.quantity, 'priceCents', l.price_cents,
      'discountCents', l.discount_cents, 'title', l.title, 'delivery', l.delivery, 'fileId', l.file_id,
      'moreFileIds', l.more_file_ids, 'bundleId', l.bundle_id) ORDER BY l.position)
    FROM order_lines l WHERE l.order_id = o.id) = :lines::text::jsonb
ORDER BY o.created_at DESC LIMIT 1;
