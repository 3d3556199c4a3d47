import { readFileSync } from 'node:fs'
import type { Tx } from '../kit/database.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './riskDecisions.statements.server.ts'
import { type Facts, judge } from './score.rules.ts'
import { asVersioned } from './weights.server.ts'

// Known hosts of disposable mailboxes. A short list suffices, because it is one signal of several.
const DISPOSABLE = new Set(
  readFileSync(new URL('disposableMail.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
)

function isDisposableMail(email: string): boolean {
  const labels = email.toLowerCase().split('@').at(-1)!.split('.')
  return labels.some((_, i) => DISPOSABLE.has(labels.slice(i).join('.')))
}

export type Payer = { instrument: string | null; country: string | null; isVerified: boolean | null }

type DecisionInput = {
  orderId: string
  userId: string
  /** The buyer's network and country. Null: those of the last decision, because a job has no address. */
  place: Place | null
  payer: Payer
}
type Place = { network: string | null; country: string | null }

export async function decideOn(tx: Tx, stage: 'start' | 'paid', asked: DecisionInput) {
  return recordDecision(tx, stage, asked, await collectFacts(tx, asked))
}

export type RiskFacts = Awaited<ReturnType<typeof collectFacts>>

export async function recordDecision(
  tx: Tx,
  stage: 'start' | 'paid',
  { orderId, userId, payer }: DecisionInput,
  collected: RiskFacts,
) {
  const { facts, weights, version, network, country, rushProductId } = collected
  const judgement = judge(facts, weights)
  const { decision, score, reasons } = judgement
  const { id } = only(
    await statements.insertDecision(tx, {
      ...{ orderId, userId, stage, decision, score, weightsVersion: version },
      ...{ reasons: JSON.stringify(reasons), facts: JSON.stringify(facts) },
      ...{ network, instrument: payer.instrument, country, rushProductId },
    }),
  )
  return { id, facts, weights, ...judgement }
}

export async function lastNetworkOf(tx: Tx, orderId: string): Promise<string | null> {
  const [last] = await statements.findLastNetwork(tx, { orderId })
  return last?.network ?? null
}

/** Collects the facts of a purchase and the active weights. `rushProductId`: a new account's main cash-like product. */
export async function collectFacts(tx: Tx, { orderId, userId, place, payer }: DecisionInput) {
  const here = { isHere: place !== null, network: place?.network ?? null, country: place?.country ?? null }
  const rows = await statements.readFacts(tx, { orderId, userId, instrument: payer.instrument, ...here })
  const { email, productId, network, country, isHeld, newest, ...counted } = only(rows)
  const facts: Facts = {
    ...counted,
    isMailDisposable: isDisposableMail(email),
    visitorCountry: country,
    payerCountry: payer.country,
    isPayerVerified: payer.isVerified,
  }
  const rushProductId = facts.accountAgeHours < 24 ? productId : null
  return { facts, network, country, isHeld, rushProductId, ...asVersioned(newest) }
}
