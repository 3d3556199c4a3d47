-- Finds products that the member can open and needs only once, such as files.
-- @name findOpen
SELECT p.id FROM products p WHERE p.id = ANY (:ids::uuid[]) AND is_one_enough(p.delivery)
  AND EXISTS (SELECT FROM open_copy o WHERE o.user_id = :userId AND o.product_id = p.id);
