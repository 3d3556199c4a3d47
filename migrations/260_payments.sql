-- The card that paid, as the provider reports it: 'Visa ending in 4242'.
ALTER TABLE payments ADD COLUMN card text CHECK (length(card) BETWEEN 1 AND 60);
