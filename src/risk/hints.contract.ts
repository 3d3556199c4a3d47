import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

const text = (most: number) => z.string().check(z.maxLength(most))
const Moment = z.union([z.number(), text(40)])

export type SecurityEvent = z.infer<typeof SecurityEvent> & { timestamp: number }
/** A security event as the browser sends it. The server drops fields that it does not need. */
const SecurityEvent = z.strictObject({
  id: z.uuid(),
  type: z.enum(['payment_fraud', 'multiple_attempts', 'suspicious_activity', 'bot_detected', 'unusual_location']),
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  description: text(500),
  timestamp: Moment,
  blocked: z.boolean(),
  userAgent: text(1000),
  ipAddress: z.optional(text(60)),
})

export const analyzeFraud = endpoint('POST /api/ai/fraud-analysis', {
  access: 'member',
  about: 'Records a security event of the browser. It is a hint and never refuses a purchase alone.',
  input: z.strictObject({
    event: SecurityEvent,
    sessionContext: z.strictObject({
      userAgent: text(1000),
      timestamp: Moment,
      url: text(2000),
      screenResolution: text(60),
      timezone: text(100),
    }),
  }),
  reply: z.object({
    isNew: z.boolean(),
  }),
  status: 202,
})
