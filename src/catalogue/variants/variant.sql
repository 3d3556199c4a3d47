-- The facts that prevent the deletion of a variant.
-- @name readVariantUse
SELECT u.is_sold, u.has_valid_codes, u.has_open_codes, u.is_bundled FROM product_use u WHERE u.id = :id;
