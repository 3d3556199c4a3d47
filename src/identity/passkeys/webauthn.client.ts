import type { KeyProof, MadeKey } from './passkey.contract.ts'

// Converts between the bytes of the Web Authentication API and JSON. The sign-in page runs this file unbundled.

export type KeyOptionsText = {
  challenge: string
  user?: { id: string }
  excludeCredentials?: ListedKey[]
  allowCredentials?: ListedKey[]
}
type ListedKey = { id: string; transports?: string[] }

export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function'

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

const toText = (bytes: ArrayBuffer) =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const listed = (keys: ListedKey[] = []) => keys.map((key) => ({ ...key, type: 'public-key', id: toBytes(key.id) }))

/** Throws the browser's DOMException if the user cancels or times out. */
export async function makeKey(options: KeyOptionsText): Promise<MadeKey> {
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user!.id) },
    excludeCredentials: listed(options.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions
  const { id, response } = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  const made = response as AuthenticatorAttestationResponse
  return {
    id,
    clientDataJSON: toText(made.clientDataJSON),
    attestationObject: toText(made.attestationObject),
    transports: made.getTransports?.() ?? [],
  }
}

export async function showKey(options: KeyOptionsText, more: CredentialRequestOptions = {}): Promise<KeyProof> {
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: listed(options.allowCredentials),
  } as unknown as PublicKeyCredentialRequestOptions
  const { id, response } = (await navigator.credentials.get({ ...more, publicKey })) as PublicKeyCredential
  const shown = response as AuthenticatorAssertionResponse
  return {
    id,
    clientDataJSON: toText(shown.clientDataJSON),
    authenticatorData: toText(shown.authenticatorData),
    signature: toText(shown.signature),
    ...(shown.userHandle && { userHandle: toText(shown.userHandle) }),
  }
}
