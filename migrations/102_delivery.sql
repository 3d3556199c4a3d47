-- Courses: sections and lessons, progress, certificates; and where readers of any goods stopped.

-- 'course' joins the kinds of goods, and 'read' the uses, beside those that are there.
DO $$
DECLARE
  held record;
BEGIN
  FOR held IN SELECT conrelid::regclass AS held_by, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace
      AND conname IN ('products_delivery_check', 'categories_delivery_check', 'order_lines_delivery_check', 'delivery_events_kind_check')
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s', held.held_by, held.name, held.name,
      replace(replace(held.definition, '''license''::text', '''license''::text, ''course''::text'),
        '''reveal''::text', '''reveal''::text, ''read''::text'));
  END LOOP;
END $$;
UPDATE categories SET delivery = 'course' WHERE id = 'courses';

-- One list in the order of the course: a section is a heading, and the lessons up to the next one belong to it.
CREATE TABLE course_parts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  product_id uuid NOT NULL REFERENCES products ON DELETE CASCADE,
  is_section boolean NOT NULL,
  position int NOT NULL,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  -- Markdown
  text text NOT NULL DEFAULT '' CHECK (length(text) <= 20000),
  -- when it opens: on a day (UTC), days after the purchase, or at once
  opens_on date,
  opens_after_days int CHECK (opens_after_days BETWEEN 1 AND 3650),
  -- shown to everybody on the page of the product
  is_preview boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- deleted by the seller, who may undo it; the progress of buyers stays
  deleted_at timestamptz,
  CHECK (opens_on IS NULL OR opens_after_days IS NULL),
  CHECK (NOT is_section OR (text = '' AND opens_on IS NULL AND opens_after_days IS NULL AND NOT is_preview))
);
CREATE INDEX course_parts_product ON course_parts (product_id, position);

CREATE TABLE lesson_files (
  file_id uuid PRIMARY KEY REFERENCES product_files ON DELETE CASCADE,
  lesson_id uuid NOT NULL REFERENCES course_parts ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lesson_files_lesson ON lesson_files (lesson_id, created_at);

CREATE TABLE lesson_progress (
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  lesson_id uuid NOT NULL REFERENCES course_parts ON DELETE RESTRICT,
  opened_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  PRIMARY KEY (order_line_id, user_id, lesson_id)
);
CREATE INDEX lesson_progress_user ON lesson_progress (user_id);
CREATE INDEX lesson_progress_lesson ON lesson_progress (lesson_id);

-- What is certified stays as it was on that day. An erased account leaves a certificate without a name.
CREATE TABLE course_certificates (
  number text PRIMARY KEY,
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  name text CHECK (length(name) BETWEEN 1 AND 200),
  title text NOT NULL,
  seller text NOT NULL,
  lessons int NOT NULL CHECK (lessons > 0),
  completed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_line_id, user_id)
);
CREATE INDEX course_certificates_user ON course_certificates (user_id);

-- Where the owner of a line stopped in a file, on whatever device: a page, a place in a book, or seconds.
CREATE TABLE reading_places (
  order_line_id uuid NOT NULL REFERENCES order_lines ON DELETE RESTRICT,
  user_id uuid NOT NULL REFERENCES users ON DELETE RESTRICT,
  file_id uuid NOT NULL REFERENCES product_files ON DELETE CASCADE,
  place text NOT NULL CHECK (length(place) BETWEEN 1 AND 100),
  -- of the whole, from 0 to 1
  share real NOT NULL CHECK (share BETWEEN 0 AND 1),
  moved_at timestamptz NOT NULL,
  PRIMARY KEY (order_line_id, user_id, file_id)
);
CREATE INDEX reading_places_user ON reading_places (user_id);
CREATE INDEX reading_places_file ON reading_places (file_id);

-- Chapters of a recording, as its seller typed them: '1:05:30 On the roof' on each line.
ALTER TABLE product_files ADD COLUMN chapters text CHECK (length(chapters) <= 5000);
