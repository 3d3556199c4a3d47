-- Whether a category has products at all: before it is removed, and for the page of staff.
CREATE INDEX products_category ON products (category_id);
