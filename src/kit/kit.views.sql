-- Formats values for JSON. PostgreSQL inlines these functions.

CREATE OR REPLACE FUNCTION decimal_of(cents numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT (cents * 0.01)::text $$;

-- Formats a time as toISOString of JavaScript does.
CREATE OR REPLACE FUNCTION iso_of(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Cursors contain microseconds since 1970, because a JavaScript date has only milliseconds.
CREATE OR REPLACE FUNCTION micros_of(moment timestamptz) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT (extract(epoch FROM moment) * 1000000)::bigint $$;

CREATE OR REPLACE FUNCTION moment_of(micros bigint) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT timestamptz 'epoch' + micros * interval '1 microsecond' $$;
