import type { Software } from './software.ts'

/** The one crypto good that is a table rather than a page. */
export const coinLedger: Software = {
  slug: 'coin-ledger-table',
  title: 'Coin Ledger Table',
  price: '6.50',
  description:
    'A table for writing down what you bought, sold, sent and paid in fees, with a script that adds it up by coin. CSV and Python, on your own computer, with no account. It keeps books and gives no tax advice.',
  files: {
    'ledger.csv':
      'date,kind,coin,amount,fee,note\n2024-01-05,in,USDC,250.00,0.40,invoice 12\n2024-01-19,out,USDC,80.00,0.35,web hosting\n2024-02-02,in,ETH,0.05,0.0004,birthday\n',
    'balance.py': `"""Add up ledger.csv by coin: what came in, less what went out and the fees.

usage: python3 balance.py [ledger.csv]
"""
import csv
import sys
from collections import defaultdict
from decimal import Decimal

balances = defaultdict(Decimal)
with open(sys.argv[1] if len(sys.argv) > 1 else "ledger.csv", newline="") as file:
    for row in csv.DictReader(file):
        sign = 1 if row["kind"] == "in" else -1
        balances[row["coin"]] += sign * Decimal(row["amount"]) - Decimal(row["fee"] or 0)
for coin, amount in sorted(balances.items()):
    print(f"{coin}\\t{amount}")
`,
  },
}
