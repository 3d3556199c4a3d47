-- What a model made of the errors of one cause in one release, when staff asked it. Text alone, never read as markup.
CREATE TABLE error_explanations (
  group_id uuid NOT NULL REFERENCES error_groups ON DELETE CASCADE,
  release text NOT NULL CHECK (length(release) BETWEEN 1 AND 80),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
  model text NOT NULL CHECK (length(model) BETWEEN 1 AND 100),
  asked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, release)
);
