import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type ActiveSession = z.infer<typeof ActiveSession>
/** `id` is not the token and cannot sign in. */
export const ActiveSession = z.object({
  id: z.uuid(),
  device: z.string(),
  country: z.nullable(z.string()),
  signedInAt: z.string(),
  /** Precise to the hour, because the server records use hourly. */
  lastSeenAt: z.string(),
  isThis: z.boolean(),
})

export const listSessions = endpoint('GET /api/account/sessions', {
  access: 'member',
  about: 'The browsers in which this account is signed in, this one first.',
  reply: z.array(ActiveSession),
})

export const endOtherSession = endpoint('DELETE /api/account/sessions/:id', {
  access: 'member',
  stepUp: true,
  about: 'Signs another browser out, on every node within a second.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.array(ActiveSession),
})

export const endOtherSessions = endpoint('DELETE /api/account/sessions', {
  access: 'member',
  stepUp: true,
  about: 'Signs out every browser but this one, and asks each for a code again where there is a second factor.',
  reply: z.array(ActiveSession),
})
