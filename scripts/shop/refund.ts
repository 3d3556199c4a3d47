import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { refundOrder, runRefund } from '../../src/checkout/refund.server.ts'
import type { Config } from '../../src/kit/config.server.ts'
import type { Database } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { DECIMAL, toCents, toDecimal } from '../../src/kit/money.ts'
import { openPaypal } from '../../src/payments/provider.server.ts'
import { findRefund, type Refund } from '../../src/payments/refunds.server.ts'
import { type Command, type Desk, readArgs } from './command.ts'
import { addressOf, withDatabase } from './desk.ts'
import { countNodes } from './running.ts'

const PATIENCE_MS = 20_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHORT_ID = /^[0-9a-f]{8}$/

export const refundCommand: Command = {
  name: 'refund',
  usage: '<order id> [--amount 1.00] --reason "..."',
  about: 'Gives the money of an order back, all of it unless an amount is given',
  run: async (desk, args) => {
    const options = { amount: { type: 'string' }, reason: { type: 'string' } } as const
    const { values, positionals } = readArgs(refundCommand, args, options, 1)
    const reason = values.reason?.trim()
    if (!reason) throw new Failure(400, '--reason: say why; it is kept with the order.')
    const amountCents = values.amount === undefined ? undefined : readAmount(values.amount)
    const config = desk.readConfig()
    await withDatabase(config, async (database) => {
      const asked = await ask(database, positionals[0]!, reason, amountCents)
      const refund = await finish(desk, config, database, asked)
      const sum = `$${toDecimal(refund.amountCents)}`
      if (refund.status === 'failed') throw new Failure(409, `The payment provider refused to give ${sum} back.`)
      if (refund.status === 'completed') return desk.say(`Refund ${refund.id} of ${sum} is made.`)
      const when = (await isShopWorking(database)) ? 'The shop keeps trying.' : 'It is made when the shop runs again.'
      desk.say(`Refund ${refund.id} of ${sum} is asked for and not made yet. ${when}`)
    })
  },
}

function readAmount(text: string): number {
  const cents = DECIMAL.test(text) ? toCents(text) : 0
  if (cents === 0) throw new Failure(400, '--amount: give dollars and cents, such as 1.00.')
  return cents
}

/** By the whole id, or by its end as the shop and its mails show it; then there may be two. */
async function findOrders(db: Database['db'], id: string): Promise<{ id: string }[]> {
  const orders = db.selectFrom('orders').select('id')
  if (UUID.test(id)) return orders.where('id', '=', id).execute()
  if (!SHORT_ID.test(id)) return []
  return orders
    .where(sql`id::text`, 'like', `%${id}`)
    .limit(3)
    .execute()
}

async function ask({ db }: Database, orderId: string, reason: string, amountCents?: number): Promise<Refund> {
  const found = await findOrders(db, orderId.replace(/^#/, '').toLowerCase())
  if (found.length === 0) throw new Failure(404, `There is no order ${orderId}.`)
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new Failure(409, `${found.length} orders end in ${orderId}: ${ids}. Give the whole id.`)
  }
  return refundOrder({ db }, found[0]!.id, reason, amountCents)
}

/**
 * The refund's job is queued with it. A running shop works it off within moments, so it is waited for; without one it is
 * made here when the provider is a real one, under the same request id as the job's.
 */
async function finish(desk: Desk, config: Config, database: Database, asked: Refund): Promise<Refund> {
  const isOn = await isShopWorking(database)
  const publicUrl = addressOf(config)
  const paypal = openPaypal({ config, publicUrl })
  if (!isOn && paypal) {
    await runRefund({ db: database.db, paypal, config, publicUrl }, asked.id).catch((error: unknown) => {
      // the job tries again under the same request id
      desk.warn(`The payment provider gives no clear answer: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
  for (const until = Date.now() + (isOn ? PATIENCE_MS : 0); ; await sleep(100)) {
    const refund = (await findRefund(database.db, asked.id))!
    if (refund.status !== 'requested' || Date.now() >= until) return refund
  }
}

/** Whether a node works jobs off. */
async function isShopWorking({ pool }: Database): Promise<boolean> {
  const client = await pool.connect()
  try {
    return (await countNodes(client, 'working')) > 0
  } finally {
    client.release()
  }
}
