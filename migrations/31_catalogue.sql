-- Expands: a sample may be a book, and the start of a file that the shop cut.
ALTER TABLE product_previews DROP CONSTRAINT product_previews_kind_check,
  ADD CONSTRAINT product_previews_kind_check CHECK (kind IN ('image', 'audio', 'video', 'pdf', 'epub')),
  -- pages, chapters or seconds of the sample and of the file that it was cut from; null for an uploaded sample
  ADD COLUMN shown int CHECK (shown > 0),
  ADD COLUMN whole int,
  ADD CONSTRAINT product_previews_whole_check CHECK (whole > shown AND (whole IS NULL) = (shown IS NULL));
