import { createHmac, hkdfSync } from 'node:crypto'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { isOutside } from '../kit/outside/outside.server.ts'
import { networkOf as householdOf } from '../kit/serve/limit.server.ts'
import { isPaused, noteDecline, refuseBlocked } from './blocks.server.ts'
import { collectFacts, decideOn, lastNetworkOf, type Payer, recordDecision } from './decisions.server.ts'
import { askToConfirm, holdBack, lockHold, resolveHold } from './holds.server.ts'
import { isClearedByConfirming } from './score.rules.ts'

export type Visitor = { userId: string; ip: string; country: string | null }

/** The payer as the provider describes it. `id` is null when many payers share one. */
export type ToldPayer = { id: string | null; country: string | null; isVerified: boolean | null }

type Bought = { orderId: string; userId: string }

export type Risk = ReturnType<typeof openRisk>

const CONFIRM_FIRST = new Failure(409, 'Please confirm it’s you on your order first.', 'confirm_needed')
const NOBODY: Payer = { instrument: null, country: null, isVerified: null }

/** The risk checks of checkout. Mode 'watch' evaluates and records, but blocks nothing. */
export function openRisk({ secret, mode }: { secret: string; mode: 'on' | 'watch' }) {
  const fingerprints = openFingerprints(secret)
  const isActive = mode === 'on'

  /** Throws a 409 Failure while payments of this account or network are blocked. */
  async function admit(db: Db | Tx, { userId, ip }: Visitor) {
    if (isActive) await refuseBlocked(db, userId, fingerprints.ofNetwork(ip))
  }

  /** Repeats the check at capture, which may run long after the start and without the buyer. */
  async function admitAgain(tx: Tx, orderId: string, userId: string) {
    if (!isActive) return
    await refuseBlocked(tx, userId, await lastNetworkOf(tx, orderId))
    const asked = await lockHold(tx, orderId, 'step_up')
    if (asked && asked.state !== 'released') throw CONFIRM_FIRST
  }

  const placeOf = ({ ip, country }: Visitor) => ({ network: fingerprints.ofNetwork(ip), country })

  async function evaluateStart(tx: Tx, orderId: string, visitor: Visitor): Promise<'go' | 'confirm' | 'refuse'> {
    const { userId } = visitor
    const asked = { orderId, userId, place: placeOf(visitor), payer: NOBODY }
    const { id, decision, facts, weights } = await decideOn(tx, 'start', asked)
    if (!isActive || decision === 'allow' || decision === 'hold') return 'go'
    if (decision === 'refuse') return 'refuse'
    const isCleared = isClearedByConfirming(facts, weights)
    await askToConfirm(tx, { orderId, userId, decisionId: id, isClearedByConfirming: isCleared })
    return 'confirm'
  }

  /**
   * Evaluates an order paid by store credit. It is delivered in the transaction `tx` that places it, so it cannot be
   * held. On a refusal the caller rolls back.
   */
  async function evaluateCovered(tx: Tx, orderId: string, visitor: Visitor): Promise<'go' | 'refuse'> {
    const asked = { orderId, userId: visitor.userId, place: placeOf(visitor), payer: NOBODY }
    const { decision } = await decideOn(tx, 'start', asked)
    return isActive && decision === 'refuse' ? 'refuse' : 'go'
  }

  /**
   * Evaluates captured money before delivery. The caller locks the order. Returns `until` if the goods must wait. Money
   * of an ended order (`isLate`) is refunded, never held.
   */
  async function evaluatePaid(
    tx: Tx,
    { orderId, userId, paymentId, payer, isLate }: Bought & { paymentId: string; payer: ToldPayer; isLate: boolean },
  ): Promise<'go' | 'refuse' | { until: Date; paymentId: string }> {
    const instrument = payer.id && fingerprints.ofInstrument(payer.id)
    const asked = { orderId, userId, place: null, payer: { ...payer, instrument } }
    const found = await collectFacts(tx, asked)
    // only this function creates holds, under the lock of the order
    const hold = found.isHeld ? await lockHold(tx, orderId, 'hold') : undefined
    if (hold && hold.state !== 'open') return hold.state === 'released' ? 'go' : 'refuse'
    if (hold && isLate) {
      await resolveHold(tx, hold, 'expired', null)
      return 'refuse'
    }
    if (hold) return { until: hold.endsAt, paymentId: hold.paymentId! }
    const decided = await recordDecision(tx, 'paid', asked, found)
    // after capture a confirmation is useless, so only a hold remains
    if (!isActive || decided.decision === 'allow' || decided.decision === 'step_up') return 'go'
    if (decided.decision === 'refuse' || isLate) return 'refuse'
    const isCleared = isClearedByConfirming(decided.facts, decided.weights)
    const held = { orderId, userId, paymentId, decisionId: decided.id, isClearedByConfirming: isCleared }
    return { until: await holdBack(tx, held), paymentId }
  }

  async function endHold(tx: Tx, orderId: string, paymentId: string) {
    const hold = await lockHold(tx, orderId, 'hold')
    if (hold?.state === 'open' && hold.paymentId === paymentId) await resolveHold(tx, hold, 'expired', null)
  }

  return {
    admit,
    admitAgain,
    evaluateStart,
    evaluateCovered,
    evaluatePaid,
    endHold,
    isPaused: async (db: Db | Tx, userId: string) => isActive && (await isPaused(db, userId)),
    noteDecline: (tx: Tx, { userId, paymentId, payer }: { userId: string; paymentId: string; payer: ToldPayer }) =>
      noteDecline(tx, { userId, paymentId, instrument: payer.id && fingerprints.ofInstrument(payer.id) }),
    /** Returns the keyed hash that identifies a blocked network. Null for an address that is not public. */
    networkOf: fingerprints.ofNetwork,
  }
}

/** Returns the IPv4 /24 or IPv6 /48 of a public address. Null for others, which identify nobody. */
function networkOf(ip: string): string | null {
  const address = householdOf(ip)
  // behind an untrusted proxy and in tests, all requests share one private address
  if (!isOutside(address.replace('/64', ''))) return null
  const [separator, parts, end] = address.includes(':') ? ([':', 3, '::/48'] as const) : (['.', 3, '.0/24'] as const)
  return address.split(separator).slice(0, parts).join(separator) + end
}

/** Hashes networks and payers with a key: the shop only compares them, so it need not store plain values. */
function openFingerprints(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'primo risk v1', 32))
  const hash = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind}:${text}`).digest('base64url').slice(0, 32)
  return {
    ofNetwork: (ip: string) => {
      const network = networkOf(ip)
      return network && hash('network', network)
    },
    ofInstrument: (payerId: string) => hash('instrument', payerId),
  }
}
