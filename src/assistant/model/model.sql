-- The member's names. The shop removes them from texts for the language model.
-- @name readAsker
SELECT first_name, last_name FROM users WHERE id = :userId;

-- @name addCost
INSERT INTO model_days AS d (day, used_for, calls, cost_microdollars) VALUES (current_date, :usedFor, 1, :microdollars)
ON CONFLICT (day, used_for) DO UPDATE SET calls = d.calls + 1, cost_microdollars = d.cost_microdollars + excluded.cost_microdollars;
