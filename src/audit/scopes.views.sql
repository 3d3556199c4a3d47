-- The faults of all views by the kind of their subject. PostgreSQL pushes a condition on the subject into each view.

CREATE OR REPLACE VIEW order_fault AS
SELECT rule, code, order_id, facts FROM order_payment_fault
UNION ALL SELECT rule, code, order_id, facts FROM order_sum_fault
UNION ALL SELECT rule, code, order_id, facts FROM order_step_fault
UNION ALL SELECT rule, code, order_id, facts FROM delivery_fault
UNION ALL SELECT rule, code, order_id, facts FROM gift_fault
UNION ALL SELECT rule, code, order_id, facts FROM sold_code_fault
UNION ALL SELECT rule, code, order_id, facts FROM missing_copy_fault
UNION ALL SELECT rule, code, order_id, facts FROM review_fault
UNION ALL SELECT rule, code, order_id, facts FROM order_credit_fault
UNION ALL SELECT rule, code, order_id, facts FROM bonus_fault
UNION ALL SELECT rule, code, order_id, facts FROM sale_fault
UNION ALL SELECT rule, code, order_id, facts FROM line_earning_fault
UNION ALL SELECT rule, code, order_id, facts FROM refunded_sale_fault
UNION ALL SELECT rule, code, order_id, facts FROM unused_fault
UNION ALL SELECT rule, code, order_id, facts FROM dispute_fault
UNION ALL SELECT rule, code, order_id, facts FROM chain_fault
UNION ALL SELECT rule, code, order_id, facts FROM bounced_fault
UNION ALL SELECT rule, code, order_id, facts FROM order_discount_fault
UNION ALL SELECT rule, code, order_id, facts FROM invoice_fault;

-- Faults of the whole shop that are cheap to find.
CREATE OR REPLACE VIEW shop_fault AS
SELECT rule, code, NULL::uuid AS subject, facts FROM reserved_credit_fault
UNION ALL SELECT rule, code, user_id, facts FROM erased_seller_fault
UNION ALL SELECT rule, code, NULL, facts FROM invoice_series_fault;

-- All faults. Reads all rows.
CREATE OR REPLACE VIEW fault AS
SELECT rule, code, order_id AS subject, facts FROM order_fault
UNION ALL SELECT rule, code, user_id, facts FROM credit_account_fault
UNION ALL SELECT rule, code, transfer_id, facts FROM transfer_fault
UNION ALL SELECT rule, code, discount_id, facts FROM discount_fault
UNION ALL SELECT rule, code, subject, facts FROM shop_fault
UNION ALL SELECT rule, code, NULL, facts FROM total_fault;
