import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

const text = (most: number) => z.string().check(z.maxLength(most))
const Moment = z.union([z.number(), text(40)])
export const FIX_LABELS = { network: 'retried', javascript: 'given null checks', performance: 'optimized' } as const
const Type = z.enum(['javascript', 'network', 'performance'])
const Severity = z.enum(['low', 'medium', 'high', 'critical'])

const ReportedError = z.strictObject({
  message: text(8000),
  stack: z.optional(z.nullable(text(16_000))),
  name: z.optional(text(200)),
  id: z.optional(text(100)),
  type: z.optional(Type),
  timestamp: z.optional(Moment),
  severity: z.optional(Severity),
  autoFixed: z.optional(z.boolean()),
  userAgent: z.optional(text(1000)),
})

const Context = z.strictObject({
  userAgent: z.optional(text(1000)),
  timestamp: z.optional(Moment),
  url: z.optional(text(4000)),
  componentStack: z.optional(z.nullable(text(16_000))),
  errorBoundary: z.optional(z.union([z.boolean(), text(200)])),
})

export const analyzeError = endpoint('POST /api/ai/analyze-error', {
  access: 'public',
  about:
    'Takes note of an error that a browser met; at most 16 kB, ten a minute from one address; what comes while too much is at work is dropped. The header X-Release may name the release the page belongs to.',
  input: z.strictObject({ error: ReportedError, context: Context }),
  reply: z.object({
    errorId: z.string(),
    /** The fix of the browser if it was made and checked. Otherwise the server's action on the report. */
    action: z.enum(['recorded', 'dropped', ...Object.values(FIX_LABELS)]),
    success: z.boolean(),
    description: z.string(),
  }),
  status: 202,
})

export const MAX_AT_ONCE = 10
export const REPORT_BYTES = 16 * 1024

export const reportErrors = endpoint('POST /api/errors', {
  access: 'public',
  about: `The same for up to ${MAX_AT_ONCE} errors that are not urgent.`,
  input: z.strictObject({
    errors: z.array(ReportedError).check(z.minLength(1), z.maxLength(MAX_AT_ONCE)),
    context: Context,
  }),
  reply: z.object({ recorded: z.number() }),
  status: 202,
})

export const GroupStatus = z.enum(['open', 'muted', 'fixed'])
export type GroupStatus = z.infer<typeof GroupStatus>

export type ErrorGroup = z.infer<typeof ErrorGroup>
export const ErrorGroup = z.object({
  id: z.uuid(),
  type: Type,
  severity: Severity,
  message: z.string(),
  /** Position in the source, 'src/cart/useCart.ts:44', or empty. */
  place: z.string(),
  status: GroupStatus,
  fixedIn: z.nullable(z.string()),
  isReopened: z.boolean(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  firstRelease: z.string(),
  lastRelease: z.string(),
  times: z.number(),
  people: z.number(),
  /** Errors per day of the last 14 days in UTC; the last entry is today. */
  days: z.array(z.number()),
})

export type ErrorOccurrence = z.infer<typeof ErrorOccurrence>
export const ErrorOccurrence = z.object({
  id: z.uuid(),
  seenAt: z.string(),
  release: z.string(),
  route: z.string(),
  message: z.string(),
  stack: z.string(),
  componentStack: z.string(),
  userAgent: z.string(),
  autoFixed: z.boolean(),
})

export const MANY_GROUPS = 200

export const listErrorGroups = endpoint('GET /api/admin/errors', {
  access: 'admin',
  about: `Errors of browsers by cause, the last seen first; at most ${MANY_GROUPS}.`,
  input: z.strictObject({ status: GroupStatus }),
  reply: z.object({
    counts: z.object({ open: z.number(), muted: z.number(), fixed: z.number() }),
    groups: z.array(ErrorGroup),
  }),
})

export const listOccurrences = endpoint('GET /api/admin/errors/:id/occurrences', {
  access: 'admin',
  about: 'The last occurrences of one cause, newest first.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.array(ErrorOccurrence),
})

export const setErrorStatus = endpoint('PUT /api/admin/errors/:id', {
  access: 'admin',
  about:
    'Opens a cause again, mutes it, or marks it as fixed in the release that runs; one that comes in a later release opens by itself.',
  input: z.strictObject({ id: z.uuid(), status: GroupStatus }),
  reply: ErrorGroup,
})
