import { z } from 'zod'
import { signedCents, toCents } from '../../kit/money.ts'
import type { FeeLine, ReportLine } from '../../payments/ledger/report.ts'
import type { Provider } from '../../payments/provider.ts'
import { orUnknown, unclear } from '../../payments/unknown.server.ts'
import type { Client } from './client.server.ts'
import { Refused } from './outcome.server.ts'
import { read } from './wire.server.ts'

// PayPal's Transaction Search lists a transaction within three hours.

const PATH = '/v1/reporting/transactions'
const PAGE_SIZE = 500
const MAX_PAGES = 20

const Amount = z.object({ currency_code: z.string(), value: z.string().regex(/^-?\d+\.\d\d$/) })

const Transaction = z.object({
  transaction_info: z.object({
    transaction_id: z.string(),
    paypal_reference_id: z.string().optional(),
    transaction_event_code: z.string(),
    transaction_initiation_date: z.string(),
    transaction_amount: Amount,
    fee_amount: Amount.optional(),
    transaction_status: z.string().optional(),
    custom_field: z.string().optional(),
  }),
})

const Page = z.object({ transaction_details: z.array(Transaction).default([]), total_pages: z.number().default(1) })

export const reportAt =
  (client: Client): NonNullable<Provider['report']> =>
  (day) =>
    orUnknown(readDay(client, day))

async function readDay(client: Client, day: string) {
  const lines: ReportLine[] = []
  const fees: FeeLine[] = []
  let hasPending = false
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({
      start_date: `${day}T00:00:00Z`,
      end_date: `${day}T23:59:59Z`,
      fields: 'transaction_info',
      page_size: String(PAGE_SIZE),
      page: String(page),
    })
    const answer = await client.request('GET', `${PATH}?${query}`).catch((error: unknown) => {
      if (error instanceof Refused) return error
      throw error
    })
    if (answer instanceof Refused) return unclear(`PayPal refuses its report: ${answer.issue}`)
    const { transaction_details: details, total_pages: pages } = read(() => Page.parse(answer))
    const all = details.map(({ transaction_info: info }) => info)
    hasPending ||= all.some(({ transaction_status: status }) => status === 'P')
    lines.push(...all.filter(isOver).flatMap(lineOf))
    fees.push(...all.filter(isOver).flatMap(feesOf))
    if (page >= pages) return { kind: 'lines' as const, lines, fees, hasPending }
  }
  return unclear(`no end of the report after ${MAX_PAGES} pages`)
}

type Info = z.output<typeof Transaction>['transaction_info']

const isOver = ({ transaction_status: status = 'S' }: Info) => status === 'S' || status === 'V'

/** The event codes of fees without a payment, such as the fee for a chargeback, and of returned fees. */
const FEE = /^T(01\d\d|110[89])$/

/** Returns the fee of a movement, or the movement itself if it is a fee. Amounts that PayPal charges are negative. */
export function feesOf(info: Info): FeeLine[] {
  const { transaction_event_code: code, transaction_amount: amount, fee_amount: fee } = info
  // two movements of different kinds can share an id
  const ref = `${info.transaction_id}:${code}`
  const at = new Date(info.transaction_initiation_date)
  const lineOfFee = (ref: string, { value, currency_code: currency }: z.output<typeof Amount>): FeeLine => ({
    ...{ ref, amountCents: -signedCents(value), currency, at },
  })
  return [...(fee ? [lineOfFee(`${ref}:fee`, fee)] : []), ...(FEE.test(code) ? [lineOfFee(ref, amount)] : [])].filter(
    ({ amountCents }) => amountCents !== 0,
  )
}

/** Returns no line for fees, currency conversion and withdrawals to the bank. */
function lineOf(info: Info): ReportLine[] {
  const { transaction_event_code: code, transaction_amount: amount } = info
  const isOut = amount.value.startsWith('-')
  const kind = kindOf(code, isOut)
  if (!kind) return []
  return [
    {
      kind,
      // payouts have the shop's id in `custom_field`
      ref: kind === 'payout' ? (info.custom_field ?? info.transaction_id) : info.transaction_id,
      captureRef: kind === 'refund' || kind === 'dispute' ? (info.paypal_reference_id ?? null) : null,
      amountCents: toCents(amount.value.replace('-', '')),
      currency: amount.currency_code,
      at: new Date(info.transaction_initiation_date),
    },
  ]
}

function kindOf(code: string, isOut: boolean): ReportLine['kind'] | null {
  if (code === 'T0001') return isOut ? 'payout' : null
  if (/^T00/.test(code)) return isOut ? null : 'payment'
  if (code === 'T1107') return isOut ? 'refund' : null
  return /^T(1106|12\d\d|111[0-9])$/.test(code) ? 'dispute' : null
}
