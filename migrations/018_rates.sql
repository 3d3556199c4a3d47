-- What one US dollar is worth in the currencies that prices are shown in; one row, the newest.
CREATE TABLE exchange_rates (
  base text PRIMARY KEY CHECK (base = 'USD'),
  rates jsonb NOT NULL CHECK (jsonb_typeof(rates) = 'object'),
  fetched_at timestamptz NOT NULL DEFAULT now()
);
