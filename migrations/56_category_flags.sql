-- Staff edit categories. The flags were lists in the code and in a setting.
ALTER TABLE categories
  ADD COLUMN icon text NOT NULL DEFAULT 'tag' CHECK (icon ~ '^[a-z]{2,20}$'),
  -- its goods are as good as money: fraud rules are stricter, and a fresh bonus buys none
  ADD COLUMN is_cash boolean NOT NULL DEFAULT false,
  -- a first purchase of its goods earns the bonus
  ADD COLUMN earns_bonus boolean NOT NULL DEFAULT true;
UPDATE categories SET is_cash = id IN ('gift-cards', 'crypto', 'prepaid'), earns_bonus = id NOT IN ('gift-cards', 'crypto', 'prepaid'),
  icon = CASE id WHEN 'gift-cards' THEN 'gift' WHEN 'crypto' THEN 'coins' WHEN 'prepaid' THEN 'card' WHEN 'ebooks' THEN 'book'
    WHEN 'courses' THEN 'school' WHEN 'software' THEN 'window' WHEN 'audio' THEN 'note' ELSE icon END;

-- A new order writes all positions in one transaction.
ALTER TABLE categories DROP CONSTRAINT categories_position_key,
  ADD CONSTRAINT categories_position_key UNIQUE (position) DEFERRABLE INITIALLY DEFERRED;
