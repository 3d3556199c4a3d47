import type { Tx } from '../kit/database.server.ts'
import { codes } from './codes/codes.kind.server.ts'
import { entitle, revokeEntitlements } from './entitlements.server.ts'
import { files } from './files/files.kind.server.ts'
import type { Kind, KindLine } from './kindOfGoods.server.ts'
import { licenses } from './licenses/licenses.kind.server.ts'

// The only list of the kinds of goods. Checkout, orders and refunds call these functions and name no kind.

const KINDS: Kind[] = [files, codes, licenses]

type Line = KindLine & { delivery: Kind['name']; fileId: string | null }

/** SQL of the JSON that the buyer sees of a line. */
export const SHOWN_GOODS = `CASE l.delivery ${KINDS.map(({ name, shown }) => `WHEN '${name}' THEN ${shown}`).join(' ')} END`

/** Reserves the goods of a payment, which may hold some already. False if too few are left; the caller then rolls back. */
export async function reserveGoods(tx: Tx, paymentId: string, lines: Line[]): Promise<boolean> {
  for (const { kind, own } of byKind(lines)) if (kind.reserve && !(await kind.reserve(tx, paymentId, own))) return false
  return true
}

/** Returns the reserved goods of a payment that ended. */
export async function releaseGoods(tx: Tx, paymentId: string) {
  for (const kind of KINDS) await kind.release?.(tx, paymentId)
}

/** Gives the buyer the reserved goods of a payment, in the transaction that completes the order. */
export async function deliverGoods(
  tx: Tx,
  { userId, paymentId, secret }: { userId: string; paymentId: string; secret: string },
  lines: Line[],
) {
  await entitle(tx, userId, lines)
  for (const { kind, own } of byKind(lines)) await kind.deliver?.(tx, paymentId, own, secret)
}

/** Takes single copies back in the transaction that books their refund. `isUnseen` when the buyer never opened them. */
export async function takeBackGoods(tx: Tx, lines: Line[], isUnseen: boolean) {
  for (const { kind, own } of byKind(lines)) await kind.takeBack?.(tx, own, isUnseen)
}

/** Ends access to whole lines and takes back what is left of them. */
export async function endGoods(tx: Tx, lines: Line[]) {
  await revokeEntitlements(
    tx,
    lines.map(({ id }) => id),
  )
  await takeBackGoods(tx, lines, false)
}

const byKind = (lines: Line[]) =>
  KINDS.map((kind) => ({ kind, own: lines.filter(({ delivery }) => delivery === kind.name) })).filter(
    ({ own }) => own.length > 0,
  )
