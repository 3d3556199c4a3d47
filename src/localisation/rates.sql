-- `late` lists the currencies whose rates are older than `staleHours`.
-- @name readAge
-- @null hours, late
SELECT extract(epoch FROM now() - max(fetched_at))::float8 / 3600 AS hours,
  string_agg(code, ', ' ORDER BY code) FILTER (WHERE at::timestamptz < now() - :staleHours::int * interval '1 hour') AS late
FROM exchange_rates LEFT JOIN LATERAL jsonb_each_text(read_at) AS each (code, at) ON true;

-- @name notifyRates
SELECT pg_notify('rates', '')::text AS sent;
