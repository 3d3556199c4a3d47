import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { mailMember } from '../../notifications/mail/caseMail.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lockBalance, readBalance } from '../balance.server.ts'
import { problemOfBank, problemOfHolder, tidyAccount } from './bank.rules.ts'
import { methodsOf, type Payouts } from './context.server.ts'
import { describeEnd, describeFailure, holdOf, nextPayout } from './payout.rules.ts'
import {
  type DetailsInput,
  getPayouts,
  MANY_PAYOUTS,
  type OwnPayouts,
  requestPayout,
  savePayoutDetails,
  setPayoutSchedule,
} from './payouts.contract.ts'
import {
  closeMonth,
  findDetails,
  findDueSellers,
  insertPayout,
  isMonthDue,
  lockDetails,
  readFacts,
  readPayoutsOf,
  saveDetails,
  saveSchedule,
} from './payouts.store.server.ts'
import { holdMoney } from './settle.server.ts'
import { lastOf } from '../../kit/values/required.ts'

// Routes and jobs for sellers: payout details, schedule, requests and monthly payouts.

const WAIT_HOURS = 24
const reads: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const changes: Limit[] = [{ per: 'account', count: 10, seconds: 3600, isShared: true }]
const requests: Limit[] = [{ per: 'account', count: 30, seconds: 60, isShared: true }]

export const ownPayoutRoutes = (payouts: Payouts): Route[] => [
  handle(getPayouts, { limits: reads }, (_, { user, db }) => describeOwn(payouts, db, user.id)),

  handle(savePayoutDetails, { limits: changes }, async ({ details }, { user, db }) => {
    if (!methodsOf(payouts).includes(details.method))
      throw new Failure(400, 'method: this shop does not pay that way.', 'invalid', { details: { field: 'method' } })
    const tidy = tidyDetails(details)
    await inTransaction(db, (tx) => changeDetails(tx, payouts, user.id, tidy))
    return describeOwn(payouts, db, user.id)
  }),

  handle(setPayoutSchedule, { limits: changes }, async ({ schedule }, { user, db }) => {
    const hasDetails = await inTransaction(db, (tx) => saveSchedule(tx, user.id, schedule))
    if (!hasDetails) throw new Failure(409, 'Add your payout details first.', 'details_missing')
    return describeOwn(payouts, db, user.id)
  }),

  handle(requestPayout, { limits: requests }, async ({ amount }, { user, db }) => {
    await inTransaction(db, (tx) => request(tx, payouts, user.id, amount === undefined ? null : toCents(amount)))
    return describeOwn(payouts, db, user.id)
  }),
]

const knownOf = ({ config: { payouts } }: Payouts, availableCents: number) => ({
  availableCents,
  minimumCents: payouts.minimumCents,
  reviewDays: payouts.reviewDays,
})

async function describeOwn(payouts: Payouts, db: Db, userId: string): Promise<OwnPayouts> {
  const { availableCents } = await readBalance(db, userId)
  const facts = await readFacts(db, userId, knownOf(payouts, availableCents))
  const details = await findDetails(db, userId)
  const next = nextPayout(facts)
  const rows = await readPayoutsOf(db, userId, MANY_PAYOUTS)
  return {
    details: details
      ? {
          ...{ method: details.method, label: details.label, schedule: details.schedule },
          waitsUntil: details.waitsUntil && details.waitsUntil > facts.now ? details.waitsUntil.toISOString() : null,
          rejection: details.rejection && describeFailure(details.method, details.rejection),
        }
      : null,
    methods: methodsOf(payouts),
    minimum: toDecimal(facts.minimumCents),
    reviewDays: facts.reviewDays,
    available: toDecimal(availableCents),
    next: { ...next, at: next.at?.toISOString() ?? null, amount: toDecimal(next.amountCents) },
    payouts: rows.map((row) => ({
      ...{ id: row.id, state: row.state, to: row.label, amount: toDecimal(row.amountCents) },
      why: describeEnd(row.method, row.state === 'processing' ? null : row.reason, row.cause),
      createdAt: row.createdAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    })),
  }
}

function tidyDetails(details: DetailsInput): DetailsInput {
  if (details.method === 'paypal') return { ...details, email: details.email.toLowerCase() }
  const tidy = { ...details, account: tidyAccount(details.account), bank: tidyAccount(details.bank) }
  const problem = problemOfHolder(tidy.holder) ?? problemOfBank(tidy.account, tidy.bank)
  if (problem) throw new Failure(400, problem.message, 'invalid', { details: { field: problem.field } })
  return tidy
}

/** Masks the details so that the seller can recognise them: 'PayPal account a…@mail.example'. */
function labelOf(details: DetailsInput): string {
  if (details.method === 'bank') return `account ending ${details.account.slice(-4)}`
  const [name = '', host = ''] = details.email.split('@')
  return `PayPal account ${name.slice(0, 2)}…@${host}`
}

async function changeDetails(tx: Tx, payouts: Payouts, userId: string, details: DetailsInput) {
  // serialize changes, so that each notifies the previous address
  await lockBalance(tx, userId)
  const before = await lockDetails(tx, userId)
  const { method } = details
  const row = { userId, method, label: labelOf(details), sealed: payouts.seal(details, userId) }
  await saveDetails(tx, row, WAIT_HOURS)
  const old = before && payouts.open({ sealed: before.sealed, sellerId: userId })
  const key = `payout-details:${userId}:${Date.now()}`
  const told = {
    subject: before ? 'Your payout details have changed' : 'Your payout details are saved',
    lines: [
      `Payouts go to your ${row.label}${before ? ' from now on' : ''}. They wait ${WAIT_HOURS} hours first.`,
      'If this was not you, change your password and message us at once.',
    ],
    action: { label: 'Open your balance', path: '/balance' },
  }
  await mailMember(tx, payouts, userId, { key, ...told })
  if (old?.method === 'paypal') await mailOld(tx, payouts, `${key}:old`, old.email, told)
}

type PayoutMail = Pick<Parameters<typeof mailMember>[3], 'subject' | 'lines'>

const mailOld = (tx: Tx, { config }: Payouts, key: string, to: string, { subject, lines }: PayoutMail) =>
  sendMail(tx, config, { key, to, subject, lines })

/** Reserves money of the balance and queues the payout for staff. `cents` null: the whole available balance. */
async function request(tx: Tx, payouts: Payouts, sellerId: string, cents: number | null) {
  const { availableCents } = await lockBalance(tx, sellerId)
  const facts = await readFacts(tx, sellerId, knownOf(payouts, availableCents))
  const hold = holdOf(facts)
  if (hold) throw new Failure(409, hold.why, hold.code)
  const { minimumCents } = facts
  const amountCents = cents ?? availableCents
  if (amountCents > availableCents)
    throw new Failure(409, `You can be paid ${usd(Math.max(0, availableCents))} now.`, 'above_available')
  if (amountCents < minimumCents) throw new Failure(409, `Payouts start at ${usd(minimumCents)}.`, 'below_minimum')
  await take(tx, sellerId, amountCents, false)
}

async function take(tx: Tx, sellerId: string, amountCents: number, isScheduled: boolean) {
  await holdMoney(tx, await insertPayout(tx, { sellerId, amountCents, isScheduled }))
}

const SELLERS_AT_ONCE = 200

/** Requests the monthly payouts that are due. Retries held payouts every hour. */
export async function requestMonthly(payouts: Payouts): Promise<void> {
  for (let after = FIRST_ID; ;) {
    const sellers = await findDueSellers(payouts.db, after, SELLERS_AT_ONCE)
    for (const sellerId of sellers) await inTransaction(payouts.db, (tx) => requestDue(tx, payouts, sellerId))
    if (sellers.length < SELLERS_AT_ONCE) return
    after = lastOf(sellers)
  }
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

async function requestDue(tx: Tx, payouts: Payouts, sellerId: string) {
  const { availableCents } = await lockBalance(tx, sellerId)
  if (!(await isMonthDue(tx, sellerId))) return
  const facts = await readFacts(tx, sellerId, knownOf(payouts, availableCents))
  const hold = holdOf(facts)
  const isEnough = availableCents >= facts.minimumCents
  if (hold && isEnough)
    return mailMember(tx, payouts, sellerId, {
      key: `payout-held:${sellerId}:${facts.now.toISOString().slice(0, 7)}:${hold.code}`,
      subject: `Your payout of ${usd(availableCents)} waits`,
      lines: [hold.why],
      action: hold.todo
        ? { label: hold.todo.label, path: hold.todo.href }
        : { label: 'Open your balance', path: '/balance' },
    })
  await closeMonth(tx, sellerId)
  if (isEnough) await take(tx, sellerId, availableCents, true)
}
