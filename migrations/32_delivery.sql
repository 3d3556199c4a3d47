-- the product page shows the lessons, and every node caches it
CREATE TRIGGER course_parts_tell AFTER INSERT OR UPDATE OR DELETE ON course_parts FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue();
