-- One by one: the erased accounts, to which the shop may owe money.

CREATE INDEX CONCURRENTLY users_erased ON users (id) WHERE erased_at IS NOT NULL;
