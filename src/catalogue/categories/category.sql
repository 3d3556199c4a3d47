-- @name arrangeCategories
UPDATE categories SET position = place FROM unnest(:ids::text[]) WITH ORDINALITY AS wanted (wanted_id, place) WHERE id = wanted_id;
