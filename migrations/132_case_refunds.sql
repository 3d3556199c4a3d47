-- One by one: the cases of a refund.
CREATE INDEX code_cases_refund ON code_cases (refund_id) WHERE state IN ('refunding', 'staff');
