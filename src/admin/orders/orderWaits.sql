-- The number of orders by what they wait for.
-- @name countWaits
-- @type wait: import('./adminOrders.contract.ts').Wait
SELECT wait, count(DISTINCT order_id)::int AS count FROM order_wait GROUP BY wait;
