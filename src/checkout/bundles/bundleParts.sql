-- The parts of bundles. Locks products in order of their id, like all transactions.
-- @name lockParts
-- @type delivery: 'file' | 'code' | 'license' | 'course'
-- @null file_id
SELECT k.bundle_id, k.position, q.id, q.title, list_cents(q) AS list_cents, q.seller_id, q.delivery,
  sold_file(q) AS file_id, sold_more_files(q) AS more_file_ids, q.is_on_sale
FROM bundle_parts k JOIN products q ON q.id = k.product_id WHERE k.bundle_id = ANY (:ids::uuid[]) ORDER BY q.id FOR SHARE OF q;
