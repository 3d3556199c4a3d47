// The views of this room return fault codes. These sentences describe them.

export const SENTENCES = {
  completed_without_capture: 'order {subject} is completed without a captured payment of its total and currency',
  free_with_payment: 'order {subject} of 0 cents has a payment',
  captured_unfinished: 'a payment of the {status} order {subject} is captured',
  total_unlike_lines: 'order {subject} of {total} cents has lines of {lines} cents',
  payment_unlike_order: 'a payment of {paid} cents is for an order of {total} cents',
  wrong_step: 'order {subject} went from {from|nothing} to {to} when it was {before|nothing}',
  status_unlike_event: 'order {subject} is {status}, and its last event says {last|nothing}',
  completed_without_later_capture: 'order {subject} came back from failed without a capture',
  order_overdue: 'order {subject} is pending past its time',
  payment_overdue: 'payment {subject} is still capturing',
  refund_overdue: 'refund {subject} is still not made',

  delivered_unpaid: 'a line of the {status} order {subject} is delivered',
  delivered_to_another: 'a line of order {subject} is delivered to another customer',
  line_not_delivered: 'a line of the completed order {subject} is not delivered',
  code_sold_unpaid: 'code {code} is sold on the {status} order {subject}',
  code_of_two_orders: 'code {code} is held by a payment of one order for a line of another',
  code_sold_twice: 'the same code of product {product} is sold {times} times',
  code_held_after_payment: 'code {code} is held by a payment that is {status}',
  codes_missing: 'order {subject} is owed {owed} codes and has {has}',
  seats_missing: 'order {subject} is owed a licence key of {owed} seats and has {has}',
  gifts_exceed_copies: 'order {subject} gave away {given} copies of {copies}',
  gift_line_opens: 'the gift of order {subject} is {state}, and its line opens',
  gift_line_closed: 'the gift of order {subject} is {state}, and its line is closed',

  held_without_capture: 'the money of order {subject} waits for a decision, and its payment is {status}',
  review_unlike_payment: 'the ledger has {cents} cents of payment {payment} under review, and the payment is {status}',
  unused_unlike_ledger:
    'payment {payment} is {status}, has {rest} cents left to give back, and the ledger keeps {held} unused',
  disputed_unlike_ledger:
    'the ledger keeps {kept} cents of payment {payment} as disputed, and its disputes hold {held}',
  sale_frozen: 'the sale of line {line} is frozen, and its payment has {open} open disputes',
  sale_free: 'the sale of line {line} is free, and its payment has {open} open disputes',
  refunds_exceed_payment: 'refunds returned {back} cents of payment {payment}, which took {took}',
  coins_unlike_ledger: 'the ledger keeps {kept} cents of USDC of payment {payment}, and its transfers leave {left}',
  bounced_unlike_credit:
    'banks returned {bounced} cents of refunds of order {subject}, and {credited} became credit or wait',
  reclaimed_unlike_credit:
    'staff took back {reclaimed} cents of returned refunds of order {subject}, and its credit entries say {taken}',

  balance_unlike_entries: 'customer {subject} has {balance} cents of credit, and entries of {entries}',
  balance_unlike_ledger: 'customer {subject} has {balance} cents of credit, and the ledger owes {owed}',
  credit_overspent: 'customer {subject} spent credit down to {after} cents',
  credit_unlike_order:
    'the {status} order {subject} uses {credit} cents of credit: {taken} are taken and {back} given back',
  credit_unlike_pending: '{held} cents of credit are set aside for pending orders of {wanted}',
  bonus_unlike_entries:
    'the first purchase {subject} earned {earned} cents, {taken} taken back, and its entries come to {entries}',
  bonus_of_later_order: 'order {subject} earned a bonus and is no first purchase',
  bonus_kept: 'the {status} order {subject} keeps {kept} cents of its bonus',

  sales_unlike_ledger: '{account} earned {sold} cents with sales, and the ledger owes {owed}',
  fees_unlike_ledger: 'the shop kept {kept} cents of fees, and the ledger has {owed}',
  line_unlike_earning: 'a line of {price} cents of the {status} order {subject} earned {earned|nothing}',
  refund_unlike_sales: '{refunded} cents of the {status} order {subject} are refunded, and {returned} of its sales',
  returns_unlike_sales:
    'refunds took {gross} cents and {fee} of fees from seller {seller}, and the sales {saleGross} and {saleFee}',
  seller_money_unexplained: 'transfer {subject} moves money of {account} without a payment or a payout',
  costs_unlike_reports: 'transfer {subject} books {booked} cents of provider fees, and the reports have {reported}',
  erased_owed: 'the shop owes {cents} cents to the erased account {subject}, which has no payout under way',
  entries_unbalanced: 'all entries come to {cents} cents instead of 0',
  transfer_unbalanced: 'transfer {subject} comes to {cents} cents instead of 0',

  discount_unlike_uses: 'order {subject} has {lines} cents of discount on its lines, and its codes took {uses}',
  use_kept: 'the {status} order {subject} keeps its use of {code}',
  use_returned: 'the {status} order {subject} returned its use of {code}',
  uses_unlike_orders: 'code {subject} counts {uses} uses of {max|any}, and orders have {orders}',

  number_missing: 'no document has the number before {label}',
  invoice_overcredited: 'invoice {label} of {total} cents is credited {credited} cents',
  invoice_unlike_order: 'invoice {label} of {total} cents is for an order of {order} cents',
  invoices_exceed_one: 'order {subject} has {count} invoices that count',
  series_unlike_invoices: 'the last number of {kind} in {year} is {last}, and {given} was given',
}

export type Code = keyof typeof SENTENCES

export type Facts = Record<string, string | number | null>
export type Fault = { rule: string; code: Code; subject: string | null; facts: Facts }

/** Placeholder for a fact, with a text after the bar for null. */
const PLACE = /\{(\w+)(?:\|(\w+))?\}/g

export const factsOf = (sentence: string): string[] =>
  [...sentence.matchAll(PLACE)].map(([, name = '']) => name).filter((name) => name !== 'subject')

export function describeFault({ code, subject, facts }: Omit<Fault, 'rule'>): string {
  const values: Facts = { ...facts, subject }
  return SENTENCES[code].replace(PLACE, (_, name: string, otherwise = '') => String(values[name] ?? otherwise))
}
