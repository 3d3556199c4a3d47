-- The page of a listed product shows its lessons, and every node caches it. It does not show their texts.
CREATE FUNCTION tell_catalogue_of_lesson() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM products p WHERE p.id = coalesce(NEW.product_id, OLD.product_id) AND p.is_listed) THEN
    PERFORM pg_notify('catalogue', '');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER course_parts_tell AFTER INSERT OR DELETE ON course_parts FOR EACH ROW EXECUTE FUNCTION tell_catalogue_of_lesson();
CREATE TRIGGER course_parts_tell_change AFTER UPDATE ON course_parts FOR EACH ROW
  WHEN ((OLD.title, OLD.position, OLD.is_section, OLD.is_preview, OLD.opens_on, OLD.opens_after_days, OLD.deleted_at)
    IS DISTINCT FROM (NEW.title, NEW.position, NEW.is_section, NEW.is_preview, NEW.opens_on, NEW.opens_after_days, NEW.deleted_at))
  EXECUTE FUNCTION tell_catalogue_of_lesson();
