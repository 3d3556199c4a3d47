import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import * as statements from './rollup.statements.server.ts'

// The job that adds sales events to the daily sums. The same transaction deletes the events, so each counts once.

const AT_ONCE = 500

/** An event that the job adds to the sums, with the data for notifications. */
export type SellerEvent = {
  id: number
  sellerId: string
  /** `own` is the seller's own purchase, which does not count as a sale. */
  kind: 'sale' | 'own' | 'refund' | 'review'
  orderLineId: string
  orderId: string
  productId: string
  title: string
  quantity: number
  isCode: boolean
  /** From yesterday or today. Older events, such as imported sales and reviews, cause no notification. */
  isRecent: boolean
  grossCents: number
  returnedCents: number
}

/** Adds pending events to the sums, oldest first, and returns their number. `tell` runs in the same transaction. */
export const addEvents = (db: Db, tell: (tx: Tx, events: SellerEvent[]) => Promise<void>): Promise<number> =>
  inTransaction(db, async (tx) => {
    const events = await statements.takeEvents(tx, { limit: AT_ONCE })
    if (events.length === 0) return 0
    // before the sums, because their row locks last until the commit and block views of the same sellers
    await tell(tx, events)
    await statements.addToDays(tx, { events: JSON.stringify(events) })
    await addToCounts(tx, events)
    return events.length
  })

async function addToCounts(tx: Tx, events: statements.TakeEventsRow[]) {
  const more = new Map<string, number>()
  for (const { kind, countedId, bundleId } of events)
    if (kind === 'sale')
      for (const id of bundleId ? [countedId, bundleId] : [countedId]) more.set(id, (more.get(id) ?? 0) + 1)
  if (more.size === 0) return
  await statements.addToCounts(tx, { ids: [...more.keys()], more: [...more.values()] })
}

const SELLERS_AT_ONCE = 100

/** Moves the periods of all sellers forward to today, and returns the number of sellers. */
export async function movePeriods(db: Db): Promise<number> {
  for (let moved = 0; ; moved += SELLERS_AT_ONCE) {
    const rows = await statements.moveSome(db, { limit: SELLERS_AT_ONCE })
    if (rows.length < SELLERS_AT_ONCE) return moved + rows.length
  }
}

export async function addAllEvents(db: Db, tell: (tx: Tx, events: SellerEvent[]) => Promise<void>) {
  while ((await addEvents(db, tell)) === AT_ONCE);
}
