import { type Database, inTransaction } from '../kit/database.server.ts'
import { log } from '../kit/log/log.server.ts'
import type { On, Run } from '../kit/sql/statements.server.ts'
import { lastOf, only } from '../kit/values/required.ts'
import {
  findChangedDiscounts,
  findChangedMembers,
  findChangedOrders,
  findChangedTransfers,
  findDiscountFaults,
  findMemberFaults,
  findOrderFaults,
  findOverdue,
  findShopFaults,
  findTransferFaults,
  pageDiscounts,
  pageMembers,
  pageOrders,
  pageTransfers,
} from './audit.statements.server.ts'
import { mailStaff, type Sender } from './breaches.mail.server.ts'
import {
  findBroken,
  readPlace,
  type ReadPlaceRow,
  recordBreaches,
  type RecordBreachesRow,
  savePlace,
} from './breaches.statements.server.ts'
import { type Scope, TIMEOUT } from './faults.server.ts'
import { describeFault, type Fault } from './sentences.rules.ts'

// The hourly check reads all rows changed since the last check, all open breaches, and one of 24 parts of all rows. It
// detects a change outside the shop within a day.

export const PARTS = 24
const PAGE = 100
/** More changes than this are checked with their part. */
const MAX_CHANGED = 20_000
const MAX_BREACHES = 100
const MAX_LENGTH = 1000

/** The subject of a breach without a row. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

type Kind = {
  scope: Exclude<Scope, 'whole'>
  /** Finds rows that changed since the check before the last one. */
  findChanged: Run<{ event: number; entry: number; max: number }, { id: string }>
  page: Run<{ after: string; end: string; max: number }, { id: string }>
  findFaults: Run<{ ids: string[] }, Fault>
}

const KINDS: Kind[] = [
  { scope: 'order', findChanged: findChangedOrders, page: pageOrders, findFaults: findOrderFaults },
  { scope: 'member', findChanged: findChangedMembers, page: pageMembers, findFaults: findMemberFaults },
  { scope: 'transfer', findChanged: findChangedTransfers, page: pageTransfers, findFaults: findTransferFaults },
  { scope: 'discount', findChanged: findChangedDiscounts, page: pageDiscounts, findFaults: findDiscountFaults },
]

/** Splits random ids by their first 32 bits. The bound of a part belongs to the part below it. */
const boundOf = (part: number): string => {
  if (part === 0) return NOBODY
  const last = Math.floor((part * 2 ** 32) / PARTS) - 1
  return `${last.toString(16).padStart(8, '0')}-ffff-ffff-ffff-ffffffffffff`
}

async function* pagesOf(on: On, { scope, findChanged, page }: Kind, place: ReadPlaceRow): AsyncGenerator<string[]> {
  const changed = await findChanged(on, { event: place.event, entry: place.entry, max: MAX_CHANGED })
  if (changed.length === MAX_CHANGED) log.warn('the ledger check leaves some changes for their part', { kind: scope })
  const broken = await findBroken(on, { scope })
  const first = [...new Set([...changed, ...broken].map(({ id }) => id))]
  for (let start = 0; start < first.length; start += PAGE) yield first.slice(start, start + PAGE)
  const end = boundOf(place.part + 1)
  for (let after = boundOf(place.part); ;) {
    const rows = await page(on, { after, end, max: PAGE })
    if (rows.length > 0) yield rows.map(({ id }) => id)
    if (rows.length < PAGE) return
    after = lastOf(rows).id
  }
}

/** Merges faults of one rule and subject into one breach. The check may read a row twice. */
class Breaches {
  readonly #found = new Map<string, { rule: string; scope: Scope; subject: string; sentences: Set<string> }>()

  get isFull() {
    return this.#found.size >= MAX_BREACHES
  }

  add(scope: Scope, faults: Fault[]) {
    for (const fault of faults) {
      const subject = fault.subject ?? NOBODY
      const key = `${fault.rule} ${scope} ${subject}`
      const known = this.#found.get(key)
      if (known) known.sentences.add(describeFault(fault))
      else if (!this.isFull)
        this.#found.set(key, { rule: fault.rule, scope, subject, sentences: new Set([describeFault(fault)]) })
    }
  }

  list() {
    return [...this.#found.values()].map(({ sentences, ...breach }) => ({
      ...breach,
      violation: [...sentences].join('; ').slice(0, MAX_LENGTH),
    }))
  }
}

async function findBreaches(on: On, place: ReadPlaceRow): Promise<Breaches> {
  const breaches = new Breaches()
  breaches.add('whole', await findShopFaults(on, {}))
  breaches.add('whole', await findOverdue(on, TIMEOUT))
  for (const kind of KINDS) {
    for await (const ids of pagesOf(on, kind, place)) {
      if (breaches.isFull) return breaches
      breaches.add(kind.scope, await kind.findFaults(on, { ids }))
    }
  }
  return breaches
}

export type Checking = Database & Sender

/** Runs one check. Alerts staff once about each new breach, and closes corrected breaches. */
export async function checkLedger({ db, pool, config, publicUrl }: Checking): Promise<RecordBreachesRow[]> {
  const start = performance.now()
  const place = only(await readPlace(pool, {}))
  const found = await findBreaches(pool, place)
  const { nextEvent, nextEntry } = place
  const fresh = await inTransaction(db, async (tx) => {
    // at the limit some rows were not checked, so no breach ends
    const added = await recordBreaches(tx, { breaches: JSON.stringify(found.list()), isAll: !found.isFull })
    await savePlace(tx, { parts: PARTS, tookMs: Math.round(performance.now() - start), nextEvent, nextEntry })
    if (added.length > 0) await mailStaff(tx, { config, publicUrl }, added, BROKEN(added.length))
    return added
  })
  for (const { rule, violation } of fresh) log.error('the ledger breaks a rule', { rule, violation })
  return fresh
}

const BROKEN = (count: number) => ({
  subject: count === 1 ? 'The books break a rule' : `The books break ${count} rules`,
  intro: 'The hourly check of orders, payments and the ledger found what must not be:',
  advice: '`npm run shop -- ledger` checks everything again.',
})
