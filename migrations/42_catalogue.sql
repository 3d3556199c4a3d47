-- Expands: a sample may be a book, and the start of a file that the shop cut. A node of the release before cannot show the
-- seller a sample that is a book, so sellers may see an error in their editor while both releases run.
ALTER TABLE product_previews DROP CONSTRAINT product_previews_kind_check,
  ADD CONSTRAINT product_previews_kind_check CHECK (kind IN ('image', 'audio', 'video', 'pdf', 'epub')),
  -- pages, chapters or seconds of the sample and of the file that it was cut from; null for an uploaded sample
  ADD COLUMN shown int CHECK (shown > 0),
  ADD COLUMN whole int,
  -- the object of the file that the sample was cut from; the sample is deleted when the product sells another file first
  ADD COLUMN cut_from uuid,
  ADD CONSTRAINT product_previews_whole_check CHECK (whole > shown AND (whole IS NULL) = (shown IS NULL)),
  ADD CONSTRAINT product_previews_cut_check CHECK ((cut_from IS NULL) = (shown IS NULL));
