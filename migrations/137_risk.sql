-- Decisions about purchases may be forgotten when they are older than any rule or dispute looks back; nothing else of them changes.
CREATE FUNCTION refuse_change_but_ageing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.created_at < now() - interval '180 days' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
END $$;
CREATE OR REPLACE TRIGGER risk_decisions_append_only BEFORE UPDATE OR DELETE ON risk_decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change_but_ageing();
