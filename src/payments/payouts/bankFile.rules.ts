import { writeRow } from '../../kit/csv/csv.rules.ts'
import { toDecimal } from '../../kit/money.ts'
import { isIban } from './bank.rules.ts'
import { toSepa } from './sepa.rules.ts'

// Files that staff upload to the bank: CSV and ISO 20022 pain.001.001.09 (customer credit transfer).

export type BankPayment = { id: string; holder: string; account: string; bank: string; amountCents: number }
export type BankOrder = {
  batchId: string
  createdAt: Date
  debtor: { name: string; account: string; bank: string }
  payments: BankPayment[]
}

const COLUMNS = ['payout', 'name', 'account', 'bank', 'amount', 'currency', 'reference']

export function csvOf({ payments }: Pick<BankOrder, 'payments'>): string {
  const rows = payments.map(({ id, holder, account, bank, amountCents }) => [
    ...[id, holder, account, bank, toDecimal(amountCents)],
    ...['USD', referenceOf(id)],
  ])
  return [COLUMNS, ...rows].map(writeRow).join('')
}

/** Removes the dashes, because a reference has at most 35 characters. */
const referenceOf = (id: string) => id.replaceAll('-', '')

type Xml = { name: string; attributes?: string; body: string | Xml[] }
const tag = (name: string, body: string | Xml[], attributes = ''): Xml => ({ name, body, attributes })

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Replaces control characters by spaces, because XML forbids them. */
const escapeText = (text: string) =>
  // oxlint-disable-next-line no-control-regex
  text.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)

const write = ({ name, body, attributes }: Xml, indent = ''): string =>
  typeof body === 'string'
    ? `${indent}<${name}${attributes}>${escapeText(body)}</${name}>\n`
    : `${indent}<${name}${attributes}>\n${body.map((one) => write(one, `${indent}  `)).join('')}${indent}</${name}>\n`

/** Callers must check the names with `findUnwritable` before. */
const nameOf = (text: string) => (toSepa(text) ?? '').slice(0, 140).trim()

export const findUnwritable = (payments: BankPayment[]) => payments.find(({ holder }) => toSepa(holder) === null)

const accountOf = (account: string) =>
  tag('Id', isIban(account) ? [tag('IBAN', account)] : [tag('Othr', [tag('Id', account)])])

/** A nine-digit number is a routing number of a US bank (USABA). */
const agentOf = (bank: string) =>
  tag('FinInstnId', [
    /^\d{9}$/.test(bank)
      ? tag('ClrSysMmbId', [tag('ClrSysId', [tag('Cd', 'USABA')]), tag('MmbId', bank)])
      : tag('BICFI', bank),
  ])

export function pain001Of({ batchId, createdAt, debtor, payments }: BankOrder): string {
  const id = referenceOf(batchId)
  const sums = [
    tag('NbOfTxs', String(payments.length)),
    tag('CtrlSum', toDecimal(payments.reduce((sum, { amountCents }) => sum + amountCents, 0))),
  ]
  const transfers = payments.map((payment) =>
    tag('CdtTrfTxInf', [
      tag('PmtId', [tag('InstrId', referenceOf(payment.id)), tag('EndToEndId', referenceOf(payment.id))]),
      tag('Amt', [tag('InstdAmt', toDecimal(payment.amountCents), ' Ccy="USD"')]),
      tag('CdtrAgt', [agentOf(payment.bank)]),
      tag('Cdtr', [tag('Nm', nameOf(payment.holder))]),
      tag('CdtrAcct', [accountOf(payment.account)]),
      tag('RmtInf', [tag('Ustrd', nameOf(`Payout from ${debtor.name}`))]),
    ]),
  )
  const order = tag('CstmrCdtTrfInitn', [
    tag('GrpHdr', [
      tag('MsgId', id),
      tag('CreDtTm', createdAt.toISOString().slice(0, 19)),
      ...sums,
      tag('InitgPty', [tag('Nm', nameOf(debtor.name))]),
    ]),
    tag('PmtInf', [
      tag('PmtInfId', id),
      tag('PmtMtd', 'TRF'),
      ...sums,
      tag('ReqdExctnDt', [tag('Dt', createdAt.toISOString().slice(0, 10))]),
      tag('Dbtr', [tag('Nm', nameOf(debtor.name))]),
      tag('DbtrAcct', [accountOf(debtor.account)]),
      tag('DbtrAgt', [agentOf(debtor.bank)]),
      ...transfers,
    ]),
  ])
  const root = tag('Document', [order], ' xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"')
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}`
}
