-- The seller of the refunded sale made it from the balance, without staff.
ALTER TABLE refunds ADD COLUMN is_by_seller boolean NOT NULL DEFAULT false;
