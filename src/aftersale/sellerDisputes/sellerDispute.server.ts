import type { Checkout } from '../../checkout/context.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { mailFinance } from '../../notifications/mail/caseMail.server.ts'
import { lockDispute } from '../../payments/disputes/disputes.store.server.ts'
import { listEarned } from '../../payments/refunds/returns.statements.server.ts'
import { isEnded } from '../disputes/dispute.rules.ts'
import {
  attach,
  type Attaching,
  CLOSED,
  detach,
  listAttached,
  readFree,
  readUpload,
} from '../disputes/evidenceFiles.server.ts'
import {
  addDisputeFact,
  attachSaleFile,
  detachSaleFile,
  getSaleDispute,
  MAX_FACTS,
  type SaleDispute,
} from './sellerDispute.contract.ts'
import { canAddFacts, lostOf } from './sellerDispute.rules.ts'
import * as statements from './sellerDisputes.statements.server.ts'

// A seller reads the open dispute of a sale, adds facts and attaches files. Staff read the facts before they answer the provider.
// The store sends the files with the answer.

const MANY_DELIVERIES = 100

const TOO_MANY = new Failure(409, `You have added ${MAX_FACTS} facts, which is the maximum.`, 'too_many')
const UNKNOWN_DELIVERY = new Failure(400, 'deliveryKeys: This is not a delivery of the sale.', 'invalid')

type SellersSale = { id: string; sellerId: string }

export const sellerDisputeRoutes = (checkout: Attaching): Route[] => [
  handle(getSaleDispute, { limits: [{ per: 'account', count: 60, seconds: 60 }] }, ({ id }, { user, db }) =>
    readDispute(db, { id, sellerId: user.id }),
  ),

  handle(
    addDisputeFact,
    { limits: [{ per: 'account', count: 30, seconds: 3600, isShared: true }] },
    async ({ id, text, deliveryKeys }, { user, db }) => {
      const sale = { id, sellerId: user.id }
      await inTransaction(db, async (tx) => {
        const { id: disputeId, orderId, amountCents } = await lockOpen(tx, sale)
        const about = { disputeId, sellerId: user.id }
        if ((await statements.listFacts(tx, about)).length >= MAX_FACTS) throw TOO_MANY
        const deliveries = await citedOf(tx, { orderId, sellerId: user.id }, deliveryKeys)
        await statements.addFact(tx, { ...about, text, deliveries: JSON.stringify(deliveries) })
        await mailFinance(tx, checkout, {
          key: `dispute-facts:${disputeId}:${user.id}`,
          subject: `A seller added a fact to the dispute of ${usd(amountCents)}: order ${orderId.slice(-8)}`,
          lines: ['Read it before you answer the provider. The answer is sent once.'],
          action: { label: 'Open the dispute', path: `/admin/disputes/${disputeId}` },
        })
      })
      return readDispute(db, sale)
    },
  ),

  handle(attachSaleFile, fileChanges, async ({ id, ...given }, { user, db, header }) => {
    const sale = { id, sellerId: user.id }
    await findDispute(db, sale)
    const upload = await readUpload(db, checkout, header, { userId: user.id, ...given })
    await inTransaction(db, async (tx) => {
      const { id: disputeId, orderId, amountCents, stage } = await lockOpen(tx, sale)
      await attach(tx, { disputeId, upload, shows: given.shows })
      await mailFinance(tx, checkout, {
        key: `dispute-files:${disputeId}:${user.id}`,
        subject: `A seller attached a file to the dispute of ${usd(amountCents)}: order ${orderId.slice(-8)}`,
        lines: [
          stage === 'inquiry'
            ? 'The provider accepts no files in an inquiry. If the inquiry becomes a claim, the store sends the file with its answer.'
            : 'Look at it before you answer the provider. The store sends it with the answer.',
        ],
        action: { label: 'Open the dispute', path: `/admin/disputes/${disputeId}` },
      })
    })
    return readDispute(db, sale)
  }),

  handle(detachSaleFile, fileChanges, async ({ id, fileId }, { user, db }) => {
    const sale = { id, sellerId: user.id }
    await inTransaction(db, async (tx) => {
      const { id: disputeId } = await lockOpen(tx, sale)
      await detach(tx, { id: fileId, disputeId, userId: user.id })
    })
    return readDispute(db, sale)
  }),
]

const fileChanges = { limits: [{ per: 'account', count: 30, seconds: 3600, isShared: true } as const] }

/** Locks the dispute of a sale. Throws a Failure 409 if its seller can add nothing more. Staff answer under the same lock. */
async function lockOpen(tx: Tx, sale: SellersSale) {
  const { id } = await findDispute(tx, sale)
  const dispute = await lockDispute(tx, id)
  const { state, evidenceId, evidenceDueAt } = dispute
  const isAnswered = evidenceId !== null || state === 'under_review'
  if (isEnded(state) || !canAddFacts({ evidenceDueAt, isAnswered }, Date.now())) throw CLOSED
  return dispute
}

async function findDispute(db: Db | Tx, sale: SellersSale) {
  const [found] = await statements.findSaleDispute(db, sale)
  if (!found) throw new Failure(404, 'Not found')
  return found
}

/** Returns the deliveries with these keys as they are stored. Throws a Failure 400 for a key of another sale. */
async function citedOf(tx: Tx, about: { orderId: string; sellerId: string }, keys: string[]) {
  if (keys.length === 0) return []
  const all = await statements.listDeliveries(tx, { ...about, limit: MANY_DELIVERIES })
  const cited = all.filter(({ key }) => keys.includes(key))
  if (cited.length !== new Set(keys).size) throw UNKNOWN_DELIVERY
  return cited.map(({ title, kind, at }) => ({ title, kind, at }))
}

async function readDispute(db: Db, sale: SellersSale): Promise<SaleDispute> {
  const found = await findDispute(db, sale)
  const { id: disputeId, orderId, reason, state, stage, openedAt, evidenceDueAt, isAnswered, frozenCents } = found
  const { sellerId } = sale
  const earned = await listEarned(db, { orderId })
  const facts = await statements.listFacts(db, { disputeId, sellerId })
  return {
    ...{ reason, state, stage, isAnswered, facts },
    openedAt: openedAt.toISOString(),
    dueAt: evidenceDueAt?.toISOString() ?? null,
    frozen: toDecimal(Math.max(0, frozenCents)),
    ifLost: toDecimal(Math.max(0, frozenCents - lostOf(earned, { sellerId, amountCents: found.amountCents }))),
    canAdd: facts.length < MAX_FACTS && canAddFacts({ evidenceDueAt, isAnswered }, Date.now()),
    canAttach: canAddFacts({ evidenceDueAt, isAnswered }, Date.now()),
    files: await listAttached(db, disputeId, sellerId),
    free: await readFree(db, disputeId),
    deliveries: await statements.listDeliveries(db, { orderId, sellerId, limit: MANY_DELIVERIES }),
  }
}

const KEPT_DAYS = 180

export const sellerDisputeJobs = ({ db }: Pick<Checkout, 'db'>): Job[] => [
  {
    name: 'delete_dispute_facts',
    pool: 'other',
    cron: '29 3 * * *',
    run: async () => {
      await statements.deleteOldFacts(db, { days: KEPT_DAYS })
    },
  },
]

/** Deletes the facts that a member added, and those about purchases of the member. */
export const forgetFactsOf = (tx: Tx, userId: string) => statements.forgetFacts(tx, { userId })
