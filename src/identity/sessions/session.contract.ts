import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type ActiveSession = z.infer<typeof ActiveSession>
/** A browser that is signed in. `id` names it here and opens nothing. */
export const ActiveSession = z.object({
  id: z.uuid(),
  /** 'Chrome on Windows' */
  device: z.string(),
  /** The two letters of where it signed in; null when nobody could say. */
  country: z.nullable(z.string()),
  signedInAt: z.string(),
  /** To the hour: use is written down once an hour. */
  lastSeenAt: z.string(),
  isThis: z.boolean(),
})

export const listSessions = endpoint('GET /api/account/sessions', {
  access: 'member',
  about: 'The browsers in which this account is signed in, this one first.',
  input: z.strictObject({}),
  reply: z.array(ActiveSession),
})

export const endOtherSession = endpoint('DELETE /api/account/sessions/:id', {
  access: 'member',
  about: 'Signs another browser out, on every node within a second.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.array(ActiveSession),
})

export const endOtherSessions = endpoint('DELETE /api/account/sessions', {
  access: 'member',
  about: 'Signs out every browser but this one, and asks each for a code again where there is a second factor.',
  input: z.strictObject({}),
  reply: z.array(ActiveSession),
})
