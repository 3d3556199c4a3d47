-- Staff find a member by the address that paid.
CREATE INDEX wallets_label ON wallets (lower(label));
