import { setTimeout as sleep } from 'node:timers/promises'
import { refundOrWait } from '../../src/aftersale/refunds/approval.server.ts'
import { describeFailure } from '../../src/aftersale/refunds/refusal.rules.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { type Database, type Db, inTransaction } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { DECIMAL, toCents, toDecimal } from '../../src/kit/money.ts'
import { usd } from '../../src/localisation/usd.rules.ts'
import { findByNumber } from '../../src/orders/find.server.ts'
import type { FindByNumberRow } from '../../src/orders/orders.statements.server.ts'
import { giveCredit, readSpendable } from '../../src/payments/credit.server.ts'
import { findPayment } from '../../src/payments/payments.store.server.ts'
import { findRefund, isUnused, type Refund } from '../../src/payments/refunds.store.server.ts'
import { command } from './command.ts'
import { addressOf, countNodes, withDatabase } from './connection.ts'
import { needUser } from './user.ts'
import { firstOf, required } from '../../src/kit/values/required.ts'

const JOB_WAIT_MS = 20_000
const MAX_CREDIT_CENTS = 1000_00

export const refundCommand = command({
  name: 'refund',
  usage: '<order id> [--amount 1.00] --reason "..." [--codes-seen]',
  places: 1,
  about: 'Refunds an order, in full or the given amount',
  options: {
    amount: { type: 'string' },
    reason: { type: 'string' },
    'codes-seen': { type: 'boolean', default: false },
  },
  run: async (terminal, values, [number = '']) => {
    const reason = values.reason?.trim()
    if (!reason) throw new Failure(400, '--reason: say why; the order keeps the reason.')
    const amountCents = values.amount === undefined ? undefined : readAmount(values.amount)
    const config = terminal.readConfig()
    await withDatabase(config, async (database) => {
      const orderId = await pickOrder(config, database, number)
      const { status, ...asked } = await ask(
        { ...database, config },
        orderId,
        reason,
        amountCents,
        values['codes-seen'],
      )
      if (status === 'waiting')
        return terminal.print(
          `${usd(asked.amountCents)} waits: a member of staff approves it at ${addressOf(config)}/admin/orders/${orderId}.`,
        )
      const isShopWorking = (await countNodes(database.pool, 'working')) > 0
      const refund = await finish(database, asked, isShopWorking ? JOB_WAIT_MS : 0)
      const sum = usd(refund.amountCents)
      if (isUnused(required(await findPayment(database.db, refund.paymentId), 'the payment')))
        terminal.print('This refunds a payment that bought no goods; the order itself does not change.')
      if (refund.status === 'failed') throw new Failure(409, describeFailure(sum, refund.refusal))
      if (refund.status === 'completed') return terminal.print(`Refund ${refund.id} of ${sum} is complete.`)
      const when = isShopWorking ? 'The shop keeps trying.' : 'No shop is running: its next start makes the refund.'
      terminal.print(`Refund ${refund.id} of ${sum} is requested and not complete yet. ${when}`)
    })
  },
})

export const creditCommand = command({
  name: 'credit give',
  usage: '<email> <amount> --why "..."',
  places: 2,
  about: 'Gives store credit; the customer sees the reason',
  options: { why: { type: 'string' } },
  run: async (terminal, values, [email = '', amount = '']) => {
    const why = values.why?.trim()
    if (!why || why.length > 500)
      throw new Failure(400, '--why: give a reason of at most 500 characters; the customer sees it.')
    const amountCents = DECIMAL.test(amount) ? toCents(amount) : 0
    if (amountCents === 0 || amountCents > MAX_CREDIT_CENTS)
      throw new Failure(400, `<amount>: give dollars and cents up to ${toDecimal(MAX_CREDIT_CENTS)}, such as 5.00.`)
    await withDatabase(terminal.readConfig(), async ({ db }) => {
      const user = await needUser(db, email)
      await inTransaction(db, (tx) => giveCredit(tx, { userId: user.id, amountCents, why }))
      terminal.print(
        `${user.email} has ${usd(amountCents)} more, and can spend ${usd(await readSpendable(db, user.id))}.`,
      )
    })
  },
})

function readAmount(text: string): number {
  const cents = DECIMAL.test(text) ? toCents(text) : 0
  if (cents === 0) throw new Failure(400, '--amount: give dollars and cents, such as 1.00.')
  return cents
}

async function pickOrder(config: Config, { db }: Database, number: string): Promise<string> {
  const found = await findByNumber(db, number)
  if (found.length === 1) return firstOf(found).id
  if (found.length > 1) {
    const list = found.map(describe).join('\n')
    throw new Failure(
      409,
      `${found.length} orders end in ${number}. Run it again with the whole number of one of them:\n${list}`,
    )
  }
  const help = `The page and the mails of an order show its number. To search by email address or product, open ${addressOf(config)}/admin/orders.`
  throw new Failure(404, `There is no order ${number}. ${help}`)
}

const describe = ({ id, totalCents, buyer, createdAt }: FindByNumberRow) =>
  `  ${id}  ${createdAt.toISOString().slice(0, 10)}  ${usd(totalCents)}  ${buyer}`

async function ask(
  terms: { db: Db; config: Config },
  orderId: string,
  reason: string,
  amountCents?: number,
  isCodeSeen = false,
) {
  try {
    return await refundOrWait({ ...terms, publicUrl: addressOf(terms.config) }, orderId, reason, amountCents, {
      isCodeSeen,
    })
  } catch (error) {
    if (error instanceof Failure && error.code === 'codes_seen')
      throw new Failure(409, 'The customer has seen codes of this order. Add --codes-seen to refund it anyway.')
    throw error
  }
}

async function finish({ db }: Database, { id }: Pick<Refund, 'id'>, waitMs: number): Promise<Refund> {
  for (const until = Date.now() + waitMs; ; await sleep(100)) {
    const refund = required(await findRefund(db, id), 'the refund')
    if (refund.status !== 'requested' || Date.now() >= until) return refund
  }
}
