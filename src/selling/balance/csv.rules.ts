import { writeRow } from '../../kit/csv/csv.rules.ts'
import type { Statement } from './balance.contract.ts'
import { describeMovement, nameMovement } from './statement.rules.ts'

const HEAD = ['Date', 'What', 'Details', 'Amount (USD)', 'Balance (USD)']

export function toCsv({ month, opening, closing, movements }: Statement): string {
  const rows = [
    [`${month}-01`, 'Balance before', '', '', opening],
    ...movements.map((one) => [one.day, nameMovement(one), describeMovement(one), one.amount, one.balance]),
    [movements.at(-1)?.day ?? `${month}-01`, 'Balance after', '', '', closing],
  ]
  // spreadsheets detect UTF-8 by the byte order mark
  return `\uFEFF${[HEAD, ...rows].map(writeRow).join('')}`
}
