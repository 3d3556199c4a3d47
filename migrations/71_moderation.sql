-- A case belongs to one member of staff, who may ask the seller before deciding.
ALTER TABLE report_cases
  -- who works on it; null while nobody does
  ADD COLUMN taken_by uuid REFERENCES users ON DELETE RESTRICT,
  -- what staff asked the seller, and until when
  ADD COLUMN question text CHECK (length(question) BETWEEN 1 AND 1000),
  ADD COLUMN answer_by timestamptz,
  ADD CONSTRAINT report_cases_question_has_end CHECK ((question IS NULL) = (answer_by IS NULL)),
  -- an author of a review is not asked
  ADD CONSTRAINT report_cases_question_is_for_seller CHECK (question IS NULL OR review_id IS NULL);
