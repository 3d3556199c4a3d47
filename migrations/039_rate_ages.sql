-- When each rate was last read: one that the service leaves out, or that leaps, is shown for a week and no longer.
ALTER TABLE exchange_rates ADD read_at jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(read_at) = 'object');
