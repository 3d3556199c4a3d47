import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'

export const MAX_KEY_NAME_LENGTH = 60

export type Passkey = z.infer<typeof Passkey>
export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
})

const bytes = (longest: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(longest))
const CredentialId = bytes(1400)

export type MadeKey = z.infer<typeof MadeKey>
export const MadeKey = z.strictObject({
  id: CredentialId,
  clientDataJSON: bytes(4000),
  attestationObject: bytes(20_000),
  transports: z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(8)),
})

export type KeyProof = z.infer<typeof KeyProof>
export const KeyProof = z.strictObject({
  id: CredentialId,
  clientDataJSON: bytes(4000),
  authenticatorData: bytes(2000),
  signature: bytes(10_000),
  userHandle: z.optional(bytes(100)),
})

export const KeyOptions = z.record(z.string(), z.unknown())

const Name = oneLine().check(z.minLength(1), z.maxLength(MAX_KEY_NAME_LENGTH))
export const listPasskeys = endpoint('GET /api/account/passkeys', {
  access: 'member',
  about: "The account's passkeys, the newest first.",
  reply: z.array(Passkey),
})

export const beginPasskey = endpoint('POST /api/account/passkeys/options', {
  access: 'member',
  stepUp: true,
  about: 'Begins to make a passkey: options for the browser, good for five minutes, in this browser, once.',
  reply: KeyOptions,
})

export const addPasskey = endpoint('POST /api/account/passkeys', {
  access: 'member',
  stepUp: true,
  about: 'Keeps the passkey that the browser has made.',
  input: z.strictObject({ name: Name, key: MadeKey }),
  reply: z.array(Passkey),
  status: 201,
})

export const renamePasskey = endpoint('PUT /api/account/passkeys/:id', {
  access: 'member',
  about: 'Gives a passkey another name.',
  input: z.strictObject({ id: z.uuid(), name: Name }),
  reply: z.array(Passkey),
})

export const removePasskey = endpoint('DELETE /api/account/passkeys/:id', {
  access: 'member',
  stepUp: true,
  about: 'Removes a passkey, which then stops working.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.array(Passkey),
})

export const beginPasskeySignIn = endpoint('POST /api/login/passkey/options', {
  access: 'public',
  about: 'Begins to sign in by a passkey: options for the browser, good for five minutes, in this browser, once.',
  reply: KeyOptions,
})

export const signInByPasskey = endpoint('POST /api/login/passkey', {
  access: 'public',
  about: 'Signs in by a passkey; answers where to go.',
  input: z.strictObject({ proof: KeyProof, returnTo: z.optional(z.string().check(z.maxLength(4000))) }),
  reply: z.object({ to: z.string() }),
})
