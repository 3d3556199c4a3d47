-- The index of accounts by time replaces it.
DROP INDEX ledger_account;
