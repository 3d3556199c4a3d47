-- Functions of monitoring for its statements.

-- True if the release started later than the release that fixed the group.
CREATE OR REPLACE FUNCTION is_later_than_fix(release text, g error_groups) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM releases later JOIN releases mended ON mended.name = g.fixed_in
    WHERE later.name = release AND later.started_at > mended.started_at)
$$;
