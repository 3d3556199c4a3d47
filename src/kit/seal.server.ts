import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

// Encrypts stored values with AES-256-GCM, with keys derived from the shop's secret.

const NONCE_BYTES = 12
const TAG_BYTES = 16

export const deriveKey = (secret: string, purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** Encrypted bytes are nonce, ciphertext and tag. A value copied to the row of another `owner` does not decrypt. */
export function createSeal(secret: string, purpose: string) {
  const key = deriveKey(secret, purpose)
  return {
    seal(plain: string | Buffer, owner = ''): Buffer {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed: Buffer, owner = ''): Buffer | null {
      try {
        const nonce = sealed.subarray(0, NONCE_BYTES)
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(-TAG_BYTES))
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        return null
      }
    },
  }
}
