-- The lines that a return of a seller's sales was for. Null: a return from before this column.
ALTER TABLE earning_returns ADD COLUMN order_line_ids uuid[];
