-- Stages of disputes and the part of a payment that a lost dispute took.

ALTER TABLE disputes
  -- 'warning': a bank's question that moves no money. 'inquiry': buyer and shop talk to each other, the provider holds the money.
  ADD COLUMN stage text NOT NULL DEFAULT 'claim' CHECK (stage IN ('warning', 'inquiry', 'claim')),
  -- what the buyer got back; null until the dispute is lost. A lost dispute from before this column took all of it.
  ADD COLUMN lost_cents bigint CHECK (lost_cents >= 0);
