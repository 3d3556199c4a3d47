-- Length of a recording or film, measured by the browser of its seller. Null until it is measured.
ALTER TABLE lesson_files ADD COLUMN seconds int CHECK (seconds > 0);
