import { expect, test } from 'vitest'
import { problemOfBank, tidyAccount } from './bank.rules.ts'
import { csvOf, pain001Of } from './bankFile.rules.ts'
import { type Facts, nextPayout } from './payout.rules.ts'

const now = new Date('2026-11-22T12:00:00Z')
const DETAILS: Facts['details'] = {
  ...{ method: 'paypal', waitsUntil: null, rejection: null, schedule: 'monthly' },
  monthlyAt: new Date('2026-11-01T06:07:00Z'),
}
const facts = (change: Partial<Facts> = {}): Facts => ({
  ...{ now, availableCents: 30780, minimumCents: 2500, reviewDays: 3, isSuspended: false, open: null },
  details: DETAILS,
  ...change,
})
const show = (change: Partial<Facts>) => {
  const { kind, at, amountCents, hold } = nextPayout(facts(change))
  return [kind, at?.toISOString().slice(0, 16) ?? null, amountCents, hold?.code ?? null]
}
const open = {
  state: 'requested' as const,
  amountCents: 14130,
  createdAt: new Date('2026-11-21T12:00:00Z'),
  reason: null,
}

test.each<[string, Partial<Facts>, unknown[]]>([
  ['the first of the next month', {}, ['scheduled', '2026-12-01T00:00', 30780, null]],
  ['on request', { details: { ...DETAILS, schedule: 'request' } }, ['request', null, 30780, null]],
  [
    'a month that was missed goes out now',
    { details: { ...DETAILS, monthlyAt: new Date('2026-10-31T23:00:00Z') } },
    ['scheduled', '2026-11-22T12:00', 30780, null],
  ],
  ['below the minimum', { availableCents: 2499 }, ['scheduled', '2026-12-01T00:00', 2499, 'below_minimum']],
  ['a debt shows no negative payout', { availableCents: -1 }, ['scheduled', '2026-12-01T00:00', 0, 'below_minimum']],
  ['no details', { details: null }, ['request', null, 30780, 'details_missing']],
  [
    'refused details',
    { details: { ...DETAILS, rejection: 'RECEIVER_UNREGISTERED' } },
    ['scheduled', '2026-12-01T00:00', 30780, 'details_rejected'],
  ],
  [
    'new details on the day before',
    { now: new Date('2026-11-30T20:00:00Z'), details: { ...DETAILS, waitsUntil: new Date('2026-12-01T19:00:00Z') } },
    ['scheduled', '2026-12-01T19:00', 30780, 'details_new'],
  ],
  ['a suspension', { isSuspended: true }, ['scheduled', '2026-12-01T00:00', 30780, 'suspended']],
  ['one that staff look at', { open }, ['open', '2026-11-24T12:00', 14130, null]],
  [
    'one that staff look at, with refused details',
    { open, details: { ...DETAILS, rejection: 'X' } },
    ['open', '2026-11-24T12:00', 14130, 'details_rejected'],
  ],
  [
    'one that is late',
    { open: { ...open, createdAt: new Date('2026-11-01T12:00:00Z') } },
    ['open', '2026-11-04T12:00', 14130, 'late'],
  ],
  [
    'one that the provider reviews',
    { open: { ...open, state: 'processing', reason: 'ONHOLD' } },
    ['open', '2026-11-24T12:00', 14130, 'review'],
  ],
])('calculates the next payout: %s', (_, change, expected) => {
  expect(show(change)).toEqual(expected)
})

test.each([
  ['DE89 3704 0044 0532 0130 00', 'COBADEFF', null],
  ['GB29-NWBK-6016-1331-9268-19', 'nwbkgb2lxxx', null],
  ['DE89370400440532013001', 'COBADEFF', 'account'],
  ['DE89370400440532013000', 'COBA', 'bank'],
  ['000123456789', '021000021', null],
  ['000123456789', '021000022', 'bank'],
  ['12', '021000021', 'account'],
  ["'; DROP", '021000021', 'account'],
])('validates the bank account %s at %s', (account, bank, field) => {
  expect(problemOfBank(tidyAccount(account), tidyAccount(bank))?.field ?? null).toBe(field)
})

const order = {
  batchId: '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f',
  createdAt: now,
  debtor: { name: 'Primo & Sons', account: 'DE89370400440532013000', bank: 'COBADEFF' },
  payments: [
    {
      ...{ id: '0190b3c2-7f58-7cc3-98c4-dc0c0c073981', holder: '=HYPERLINK("x")', amountCents: 1234567 },
      ...{ account: 'GB29NWBK60161331926819', bank: 'NWBKGB2L' },
    },
    {
      ...{ id: '0190b3c2-7f58-7cc3-98c4-dc0c0c073982', holder: 'Zoë <b>"Ünal"</b>\u0007', amountCents: 5 },
      ...{ account: '000123456789', bank: '021000021' },
    },
  ],
}

/** Elements of pain.001.001.09 that the shop writes, in schema order. `?`: optional, `+`: one or more. */
const SCHEMA: Record<string, string> = {
  Document: 'CstmrCdtTrfInitn',
  CstmrCdtTrfInitn: 'GrpHdr PmtInf+',
  GrpHdr: 'MsgId CreDtTm NbOfTxs CtrlSum? InitgPty',
  InitgPty: 'Nm?',
  PmtInf:
    'PmtInfId PmtMtd BtchBookg? NbOfTxs? CtrlSum? PmtTpInf? ReqdExctnDt PoolgAdjstmntDt? Dbtr DbtrAcct DbtrAgt ChrgBr? CdtTrfTxInf+',
  ReqdExctnDt: 'Dt',
  ...{ Dbtr: 'Nm? PstlAdr?', DbtrAcct: 'Id?', DbtrAgt: 'FinInstnId', Cdtr: 'Nm? PstlAdr?', CdtrAcct: 'Id?' },
  CdtTrfTxInf: 'PmtId PmtTpInf? Amt ChrgBr? CdtrAgt? Cdtr? CdtrAcct? Purp? RmtInf?',
  ...{ PmtId: 'InstrId? EndToEndId', Amt: 'InstdAmt', CdtrAgt: 'FinInstnId', RmtInf: 'Ustrd' },
  ...{ FinInstnId: 'BICFI? ClrSysMmbId?', ClrSysMmbId: 'ClrSysId? MmbId', ClrSysId: 'Cd', Othr: 'Id' },
}
const LEAVES: Record<string, RegExp> = {
  ...{ MsgId: /^.{1,35}$/, PmtInfId: /^.{1,35}$/, InstrId: /^.{1,35}$/, EndToEndId: /^.{1,35}$/ },
  ...{ CreDtTm: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, Dt: /^\d{4}-\d\d-\d\d$/, NbOfTxs: /^\d{1,15}$/ },
  ...{
    CtrlSum: /^\d+\.\d\d$/,
    InstdAmt: /^\d+\.\d\d$/,
    PmtMtd: /^TRF$/,
    Nm: /^[A-Za-z0-9/?:().,'+ -]{1,140}$/,
    Ustrd: /^[A-Za-z0-9/?:().,'+ -]{1,140}$/,
  },
  ...{ IBAN: /^[A-Z]{2}\d{2}[a-zA-Z0-9]{1,30}$/, BICFI: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/ },
  ...{ MmbId: /^.{1,35}$/, Cd: /^.{1,5}$/ },
}

type Node = { name: string; text: string; children: Node[] }
function parse(xml: string): Node {
  const root: Node = { name: '', text: '', children: [] }
  const path = [root]
  for (const [, close, name, , text] of xml.matchAll(/<(\/)?(\w+)([^>]*)>([^<]*)/g)) {
    if (close) path.pop()
    else {
      const node = { name: name!, text: text!.trim(), children: [] }
      path.at(-1)!.children.push(node)
      path.push(node)
    }
  }
  expect(path).toHaveLength(1)
  return root.children[0]!
}

function findFaults({ name, text, children }: Node): string[] {
  const isAccount = name === 'Id' && children.length > 0
  const wanted = isAccount ? 'IBAN? Othr?' : SCHEMA[name]
  if (wanted === undefined) return LEAVES[name]?.test(text) || name === 'Id' ? [] : [`${name}: ${text}`]
  const pattern = wanted.split(' ').map((part) => {
    const [, word, many] = /^(\w+)([?+]?)$/.exec(part)!
    return `(?:${word} )${many}`
  })
  const found = children.map((child) => `${child.name} `).join('')
  return [
    ...(new RegExp(`^${pattern.join('')}$`).test(found) ? [] : [`${name}: ${found}`]),
    ...children.flatMap(findFaults),
  ]
}

test('writes a bank file with the structure of pain.001.001.09 and correct sums', () => {
  const xml = pain001Of(order)
  expect(xml).toContain('xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"')
  expect(findFaults(parse(xml.replace(/^<\?.*\?>/, '')))).toEqual([])
  for (const text of ['<NbOfTxs>2<', '<CtrlSum>12345.72<', 'Ccy="USD">12345.67<', 'Primo + Sons', '<Nm>Zoe b '])
    expect(xml).toContain(text)
  expect(findFaults(parse('<GrpHdr><CreDtTm>x</CreDtTm><MsgId>y</MsgId></GrpHdr>'))).not.toEqual([])
})

test('quotes every CSV cell and prevents formulas', () => {
  expect(csvOf(order).split('\r\n')).toEqual([
    'payout,name,account,bank,amount,currency,reference',
    `${order.payments[0]!.id},"'=HYPERLINK(""x"")",GB29NWBK60161331926819,NWBKGB2L,12345.67,USD,0190b3c27f587cc398c4dc0c0c073981`,
    `${order.payments[1]!.id},"Zoë <b>""Ünal""</b>\u0007",000123456789,021000021,0.05,USD,0190b3c27f587cc398c4dc0c0c073982`,
    '',
  ])
})
