-- Exchange rates.

-- The value of one US dollar in the currencies that the shop can show. The newest rates, in one row.
CREATE TABLE exchange_rates (
  base text PRIMARY KEY CHECK (base = 'USD'),
  rates jsonb NOT NULL CHECK (jsonb_typeof(rates) = 'object'),
  fetched_at timestamptz NOT NULL DEFAULT now(),
  -- when each rate was last read. A rate that the service omits or that jumps remains in use for one more week
  read_at jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(read_at) = 'object')
);
