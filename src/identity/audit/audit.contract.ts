import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { type Kind, KINDS } from './audit.rules.ts'

export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z.object({
  id: z.number(),
  at: z.string(),
  /** The actor's address. Null for the command line and for visitors. */
  actor: z.nullable(z.string()),
  act: z.string(),
  /** The object of the act; `name` is the address of an account. */
  subject: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  details: z.record(z.string(), z.string()),
})

export const MAX_ENTRIES = 100

export const listAudit = endpoint('GET /api/admin/audit', {
  access: 'admin',
  about:
    'What staff did and security events, newest first. `kind` is what it was about, `q` an address of an account or an id, `after` the last entry seen; `Link: rel="next"` leads on.',
  input: z.strictObject({
    kind: z.optional(z.enum(Object.keys(KINDS) as [Kind, ...Kind[]])),
    q: z.optional(z.string().check(z.trim(), z.maxLength(254))),
    after: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_ENTRIES))),
  }),
  reply: z.array(AuditEntry),
})
