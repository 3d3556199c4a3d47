import { createHash, createHmac, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { createSeal, deriveKey } from '../../kit/seal.server.ts'
import { endingOf, makeKey, RANDOM_LENGTH, readKey } from './key.rules.ts'

// Operations on licence keys that need the shop's secret. The database stores no plain key.

export type LicenseVault = ReturnType<typeof openLicenseVault>

/** DER prefix of an Ed25519 private key (RFC 8410), followed by the 32 bytes of the key. */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

export function openLicenseVault(secret: string) {
  const keys = createSeal(secret, 'primo licence keys v1')
  const lookupKey = deriveKey(secret, 'primo licence lookups v1')
  const der = Buffer.concat([ED25519, deriveKey(secret, 'primo licence files v1')])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  // the key id is a hash of the key (RFC 7638, shortened), so a new secret gives a new id
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url').slice(0, 16)

  /** Hashes invalid keys too, so that they take the same code path as wrong keys. */
  const hashOf = (typed: string) =>
    createHmac('sha256', lookupKey)
      .update(readKey(typed) ?? `no key ${typed}`)
      .digest()

  return {
    hashOf,
    /** Creates a key and its encrypted form. The row's id is bound to the ciphertext. */
    make(id: string, prefix: string) {
      const key = makeKey(prefix, randomBytes(RANDOM_LENGTH))
      return { prefix, ciphertext: keys.seal(key, id), keyHash: hashOf(key), ending: endingOf(key) }
    },
    open({ id, ciphertext }: { id: string; ciphertext: Buffer }): string {
      const key = keys.open(ciphertext, id)
      if (!key) throw new Error('a stored licence key does not open: SECRET changed')
      return key.toString()
    },
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: x!, kid, use: 'sig', alg: 'EdDSA' } as const,
    sign: (payload: string) => sign(null, Buffer.from(payload), privateKey).toString('base64url'),
  }
}

export const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
