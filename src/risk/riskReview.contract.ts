import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'
import { oneLine } from '../kit/text.rules.ts'
import { DECISIONS, RULE_NAMES } from './score.rules.ts'

const nothing = z.strictObject({})
const known = z.nullable(z.string())

/** Days of blocked payments after staff refused a purchase of the account. */
export const REFUSED_DAYS = 7

export type RiskCase = z.infer<typeof RiskCase>
/** A held purchase with the facts at its decision. `total` is a decimal string in USD. */
export const RiskCase = z.object({
  orderId: z.uuid(),
  buyer: z.string(),
  total: z.string(),
  lines: z.array(z.object({ title: z.string(), quantity: z.number() })),
  score: z.number(),
  reasons: z.array(z.object({ rule: z.enum(RULE_NAMES), points: z.number() })),
  facts: z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()])),
  createdAt: z.string(),
  endsAt: z.string(),
  state: z.enum(['open', 'released', 'refused']),
  resolvedHow: z.nullable(z.enum(['confirmed', 'approved', 'refused', 'expired'])),
  resolvedAt: known,
})

export const CASES_AT_ONCE = 50
export const MAX_CASES = 500

export const listRiskCases = endpoint('GET /api/admin/risk/cases', {
  access: 'finance',
  about:
    'Captured purchases whose goods wait for a second look, the most urgent first; or those decided last. `X-Total-Count` counts them all.',
  input: z.strictObject({
    state: z.enum(['open', 'decided']),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_CASES))),
  }),
  reply: z.array(RiskCase),
})

export const approveCase = endpoint('POST /api/admin/risk/cases/:orderId/approve', {
  access: 'finance',
  stepUp: true,
  about: 'Delivers a held purchase to its buyer.',
  input: z.strictObject({ orderId: z.uuid() }),
  reply: nothing,
})

export const refuseCase = endpoint('POST /api/admin/risk/cases/:orderId/refuse', {
  access: 'finance',
  stepUp: true,
  about: 'Refuses a held purchase and refunds it in full.',
  input: z.strictObject({ orderId: z.uuid() }),
  reply: nothing,
})

export type RiskBlock = z.infer<typeof RiskBlock>
export const RiskBlock = z.object({
  id: z.uuid(),
  kind: z.enum(['account', 'network']),
  /** The account's mail address. Null for a network, which is stored as a hash. */
  subject: known,
  reason: z.string(),
  /** The mail address of the staff member. Null for the shop itself. */
  madeBy: known,
  createdAt: z.string(),
  expiresAt: z.string(),
})

export const listBlocks = endpoint('GET /api/admin/risk/blocks', {
  access: 'finance',
  about: 'Accounts and networks whose payments are paused, newest first.',
  reply: z.array(RiskBlock),
})

export const MAX_BLOCK_HOURS = 90 * 24

export const addBlock = endpoint('POST /api/admin/risk/blocks', {
  access: 'finance',
  about:
    'Pauses the payments of an account (by its e-mail address) or of the network of an IP address, for some hours.',
  input: z.strictObject({
    who: oneLine().check(z.minLength(3), z.maxLength(254)),
    reason: oneLine().check(z.minLength(1), z.maxLength(200)),
    hours: z.number().check(z.int(), z.minimum(1), z.maximum(MAX_BLOCK_HOURS)),
  }),
  reply: z.array(RiskBlock),
  status: 201,
})

export const liftBlock = endpoint('DELETE /api/admin/risk/blocks/:id', {
  access: 'finance',
  stepUp: true,
  about: 'Ends a pause early.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.array(RiskBlock),
})

const Points = z.number().check(z.int(), z.minimum(0), z.maximum(100))
const Threshold = z.number().check(z.int(), z.minimum(1), z.maximum(100))
export const RiskWeights = z
  .strictObject({
    ...(Object.fromEntries(RULE_NAMES.map((rule) => [rule, Points])) as Record<
      (typeof RULE_NAMES)[number],
      typeof Points
    >),
    stepUpAt: Threshold,
    holdAt: Threshold,
    refuseAt: Threshold,
  })
  .check(
    z.refine(
      ({ stepUpAt, holdAt, refuseAt }) => stepUpAt <= holdAt && holdAt <= refuseAt,
      '“Hold from” can’t be lower than “Ask to confirm from”, nor “Refuse from” lower than “Hold from”.',
    ),
  )

const VersionedWeights = z.object({ version: z.number(), weights: RiskWeights })

export const getWeights = endpoint('GET /api/admin/risk/weights', {
  access: 'admin',
  about: 'The weights in force. Version 0 is the default.',
  reply: VersionedWeights,
})

const Tally = z.record(z.enum(DECISIONS), z.number())

export type WeightsEffect = z.infer<typeof WeightsEffect>
export const WeightsEffect = z.object({
  /** Number of re-evaluated orders, at most 1,000. */
  orders: z.number(),
  now: Tally,
  tried: Tally,
  changed: z.array(z.object({ orderId: z.uuid(), now: z.enum(DECISIONS), tried: z.enum(DECISIONS) })),
})

export const tryWeights = endpoint('POST /api/admin/risk/weights/try', {
  access: 'admin',
  about: 'Judges the last 1,000 orders with these weights, from their stored facts. Changes nothing.',
  input: z.strictObject({ weights: RiskWeights }),
  reply: WeightsEffect,
})

export const saveWeights = endpoint('PUT /api/admin/risk/weights', {
  access: 'admin',
  stepUp: true,
  about: 'Puts weights in force. `version` is the version that they are based on; 409 if it is outdated.',
  input: z.strictObject({ version: z.number().check(z.int(), z.minimum(0)), weights: RiskWeights }),
  reply: VersionedWeights,
})
