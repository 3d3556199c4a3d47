-- Expands: why an order changed, as a code. The screens have the sentences. Nodes of a former release write none.
ALTER TABLE order_events ADD COLUMN reason_code text CHECK (reason_code IN ('placed', 'paid', 'free', 'gift', 'claimed', 'canceled_by_buyer', 'expired', 'sold_out', 'start_failed',
  'risk_refused', 'risk_refused_paid', 'declined', 'refunded_at_provider', 'amount_mismatch', 'payment_unusable', 'refunded', 'other'));

ALTER TABLE order_events DISABLE TRIGGER order_events_append_only;
UPDATE order_events SET reason_code = CASE
  WHEN to_status = 'refunded' THEN 'refunded'
  WHEN reason IN ('placed', 'paid', 'free', 'gift', 'expired') THEN reason
  WHEN reason = 'claimed a gift' THEN 'claimed'
  WHEN reason IN ('canceled by the buyer', 'canceled by the shopper') THEN 'canceled_by_buyer'
  WHEN reason = 'sold out' THEN 'sold_out'
  WHEN reason = 'the payment could not be started' THEN 'start_failed'
  WHEN reason = 'the payment was not accepted' THEN 'risk_refused'
  WHEN reason = 'the payment was not accepted and is given back' THEN 'risk_refused_paid'
  WHEN reason = 'declined by the payment provider' THEN 'declined'
  WHEN reason = 'given back at the payment provider' THEN 'refunded_at_provider'
  WHEN reason = 'the payment did not fit and is being given back' THEN 'payment_unusable'
  ELSE 'other'
END;
ALTER TABLE order_events ENABLE TRIGGER order_events_append_only;
