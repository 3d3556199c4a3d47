import {
  endSupply,
  findSupply,
  findWaiting,
  lockSupply,
  noteAnswer,
  noteTry,
  readOwed,
  readSupplies,
  saveSupplied,
  setSku,
} from '../../delivery/supply/supply.store.server.ts'
import { settleStock } from '../../delivery/codes/stock.store.server.ts'
import type { CodeParts } from '../../delivery/codes/codeParts.rules.ts'
import type { CodeVault } from '../../delivery/codes/vault.server.ts'
import { listSupplies, setSupply } from '../../delivery/supply/supply.contract.ts'
import type { Supplier } from '../../delivery/supply/supplier.ts'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { mailBuyer } from '../../checkout/receipt.server.ts'
import { refundOrder } from '../refunds/refund.server.ts'
import { required } from '../../kit/values/required.ts'

// Codes on demand: after payment, a job requests codes from the supplier until the window ends, then refunds the line.
// Runs no request inside a transaction and logs no code.

export type Supplying = { checkout: Checkout; vault: CodeVault; supplier: Supplier | null }

const NO_SUPPLIER = new Failure(409, 'No supplier is set up: give SUPPLIER_URL and SUPPLIER_TOKEN.', 'no_supplier')
const NOT_CODES = new Failure(409, 'Only a product that sells codes can have a supplier.', 'no_codes')
const TAKEN = new Failure(409, 'The request ended meanwhile.', 'supply_ended')

export const supplyRoutes = ({ checkout: { config }, supplier }: Supplying): Route[] => [
  handle(listSupplies, { limits: [{ per: 'account', count: 120, seconds: 60 }] }, async (_, { db }) => ({
    ...{ hasSupplier: supplier !== null, minutes: config.supplyMinutes },
    supplies: await readSupplies(db),
  })),

  handle(
    setSupply,
    { limits: [{ per: 'account', count: 60, seconds: 60 }] },
    async ({ id, sku, minutes = config.supplyMinutes }, { user, db }) => {
      if (sku !== null && !supplier) throw NO_SUPPLIER
      await inTransaction(db, async (tx) => {
        const product = await tx.selectFrom('products').select('delivery').where('id', '=', id).executeTakeFirst()
        if (!product) throw new Failure(404, 'Product not found')
        if (product.delivery !== 'code') throw NOT_CODES
        await setSku(tx, id, sku === null ? null : { sku, windowMinutes: minutes })
        await settleStock(tx, id)
        await recordAct(tx, {
          actorId: user.id,
          act: 'product.supplied',
          subjectId: id,
          details: { sku: sku ?? 'none' },
        })
      })
      return { sku }
    },
  ),
]

export const supplyJobs = (supplying: Supplying): Job[] => [
  { name: 'supply', pool: 'supply', run: ({ lineId = '' }) => supply(supplying, lineId) },
  { name: 'supply_waiting', everySeconds: 15, run: () => supplyWaiting(supplying) },
]

/** Retries waiting requests, and ends expired ones. A failure does not delay the next request. */
export async function supplyWaiting(supplying: Supplying) {
  for (const { lineId, isOver } of await findWaiting(supplying.checkout.db))
    try {
      await (isOver ? giveUp(supplying, lineId) : supply(supplying, lineId))
    } catch (error) {
      log.warn('a request to the supplier could not go on', { line: lineId, error })
    }
}

/** Tries once. Codes that arrive after the end of the request are stored, but never sold. */
export async function supply(supplying: Supplying, lineId: string) {
  const { checkout, supplier } = supplying
  const { db } = checkout
  const asked = await findSupply(db, lineId)
  if (asked?.state !== 'waiting' || !supplier) return
  await noteTry(db, lineId)
  const { sku, quantity } = asked
  const answer = await supplier.request({ requestId: lineId, sku, quantity })
  if (answer.kind === 'waiting') return noteAnswer(db, lineId, null)
  if (answer.kind === 'unknown') return noteAnswer(db, lineId, answer.why)
  if (answer.kind === 'refused') {
    await noteAnswer(db, lineId, answer.why)
    return giveUp(supplying, lineId)
  }
  try {
    await deliver(supplying, lineId, answer.codes)
  } catch (error) {
    if (error !== REPEATED) throw error
    log.error('the supplier answered a code that is in the shop already', { line: lineId })
    await noteAnswer(db, lineId, 'the answer has a code of another sale')
  }
}

const REPEATED = new Error('a code is in the shop already')

const deliver = ({ checkout, vault }: Supplying, lineId: string, codes: CodeParts[]) =>
  inTransaction(checkout.db, async (tx) => {
    const order = required(await lockOrder(tx, await orderOf(checkout, lineId)), 'the order')
    const row = await lockSupply(tx, lineId)
    // another node was faster: the supplier returned the same codes to both
    if (row.state === 'delivered') return
    const owed = row.state === 'waiting' ? await readOwed(tx, lineId) : 0
    if (!(await saveSupplied(tx, vault, row, codes, owed))) throw REPEATED
    if (row.state !== 'waiting') return
    await endSupply(tx, lineId, 'delivered')
    const { title } = await tx
      .selectFrom('orderLines')
      .select('title')
      .where('id', '=', lineId)
      .executeTakeFirstOrThrow()
    await mailBuyer(tx, checkout, order, {
      key: `supplied:${lineId}`,
      subject: `“${title}” is ready`,
      lines: [
        codes.length === 1
          ? 'Your code has arrived. It is in your order.'
          : 'Your codes have arrived. They are in your order.',
      ],
    })
  })

/** Refunds the copies that were not delivered. Waits while another refund or dispute blocks the order's money. */
async function giveUp({ checkout }: Supplying, lineId: string) {
  const orderId = await orderOf(checkout, lineId)
  const quantity = await inTransaction(checkout.db, (tx) => readOwed(tx, lineId))
  await refundOrder(checkout, orderId, 'the supplier did not deliver', undefined, {
    ...{ lines: [{ orderLineId: lineId, quantity }], isCodeSeen: true },
    last: async (tx) => {
      if ((await lockSupply(tx, lineId)).state !== 'waiting') throw TAKEN
      await endSupply(tx, lineId, 'ended')
    },
  })
}

const orderOf = async ({ db }: Checkout, lineId: string): Promise<string> =>
  (await db.selectFrom('orderLines').select('orderId').where('id', '=', lineId).executeTakeFirstOrThrow()).orderId
