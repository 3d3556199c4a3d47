import { setTimeout as sleep } from 'node:timers/promises'
import { refundOrder, runRefund } from '../../src/checkout/refunds/refund.server.ts'
import { describeFailure } from '../../src/checkout/refunds/refund.rules.ts'
import type { Config } from '../../src/app/settings.server.ts'
import type { Database } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { DECIMAL, toCents, toDecimal } from '../../src/kit/money.ts'
import { findByNumber, type NumberedOrder } from '../../src/orders/find.server.ts'
import { findPayment } from '../../src/payments/payments.store.server.ts'
import { openRealProviders } from '../../src/payments/providers.server.ts'
import { findRefund, isUnused, type Refund } from '../../src/payments/refunds.store.server.ts'
import { command, type Terminal } from './command.ts'
import { addressOf, countNodes, withDatabase } from './connection.ts'

const JOB_WAIT_MS = 20_000

export const refundCommand = command({
  name: 'refund',
  usage: '<order id> [--amount 1.00] --reason "..." [--codes-seen]',
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
      const asked = await ask(database, orderId, reason, amountCents, values['codes-seen'])
      const refund = await finish(terminal, config, database, asked)
      const sum = `$${toDecimal(refund.amountCents)}`
      if (isUnused((await findPayment(database.db, refund.paymentId))!))
        terminal.say('This refunds a payment that bought no goods; the order itself does not change.')
      if (refund.status === 'failed') throw new Failure(409, describeFailure(sum, refund.refusal))
      if (refund.status === 'completed') return terminal.say(`Refund ${refund.id} of ${sum} is complete.`)
      const when = (await isShopWorking(database)) ? 'The shop keeps trying.' : 'The shop makes it when it runs again.'
      terminal.say(`Refund ${refund.id} of ${sum} is requested and not complete yet. ${when}`)
    })
  },
})

function readAmount(text: string): number {
  const cents = DECIMAL.test(text) ? toCents(text) : 0
  if (cents === 0) throw new Failure(400, '--amount: give dollars and cents, such as 1.00.')
  return cents
}

/** Finds the order that ends in this number. Throws a Failure if none or several do. */
async function pickOrder(config: Config, { db }: Database, number: string): Promise<string> {
  const found = await findByNumber(db, number)
  if (found.length === 1) return found[0]!.id
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

const describe = ({ id, totalCents, buyer, createdAt }: NumberedOrder) =>
  `  ${id}  ${createdAt.toISOString().slice(0, 10)}  $${toDecimal(totalCents)}  ${buyer}`

async function ask({ db }: Database, orderId: string, reason: string, amountCents?: number, isCodeSeen = false) {
  try {
    return await refundOrder({ db }, orderId, reason, amountCents, { isCodeSeen })
  } catch (error) {
    if (error instanceof Failure && error.code === 'codes_seen')
      throw new Failure(409, 'The customer has seen codes of this order. Add --codes-seen to refund it anyway.')
    throw error
  }
}

/**
 * Waits for the running shop to work off the refund's job. If no shop runs, makes the refund here with a real provider,
 * under the same request id as the job.
 */
async function finish(terminal: Terminal, config: Config, database: Database, asked: Refund): Promise<Refund> {
  const isOn = await isShopWorking(database)
  const publicUrl = addressOf(config)
  const providers = openRealProviders(config, publicUrl)
  if (!isOn && providers) {
    await runRefund({ db: database.db, providers, config, publicUrl }, asked.id).catch((error: unknown) => {
      // The job retries with the same request id.
      terminal.warn(
        `The payment provider gives no clear answer: ${error instanceof Error ? error.message : String(error)}`,
      )
    })
  }
  for (const until = Date.now() + (isOn ? JOB_WAIT_MS : 0); ; await sleep(100)) {
    const refund = (await findRefund(database.db, asked.id))!
    if (refund.status !== 'requested' || Date.now() >= until) return refund
  }
}

async function isShopWorking({ pool }: Database): Promise<boolean> {
  const client = await pool.connect()
  try {
    return (await countNodes(client, 'working')) > 0
  } finally {
    client.release()
  }
}
