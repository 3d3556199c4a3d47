-- orders_paid_sums stands in its place.
DROP INDEX orders_sums;
