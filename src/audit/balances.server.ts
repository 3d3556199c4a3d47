import type pg from 'pg'

/** Positive is money the shop holds, negative is money it owes. `accounts`: how many are summed up. */
export type Balance = { account: string; accounts: number; cents: number }

/** What each account of the ledger holds; those of members and payouts are summed up by kind. Reads the whole ledger. */
export async function readBalances(client: Pick<pg.Pool, 'query'>): Promise<Balance[]> {
  const { rows } = await client.query<Balance>(
    `SELECT CASE WHEN account ~ '^(seller|payouts):' OR account ~ '^credit:[0-9a-f-]{36}$' THEN split_part(account, ':', 1) ELSE account END AS account,
       count(DISTINCT account)::int AS accounts, sum(amount_cents)::bigint AS cents
     FROM ledger_entries GROUP BY 1 ORDER BY 1`,
  )
  return rows
}
