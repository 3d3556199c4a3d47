import { createHmac } from 'node:crypto'
import { createSeal, deriveKey } from '../../kit/seal.server.ts'

export type CodeVault = ReturnType<typeof openCodeVault>

/** Encrypts with AES-256-GCM under a key derived from the store's secret. The fingerprint finds duplicates. */
export function openCodeVault(secret: string) {
  const codes = createSeal(secret, 'primo codes v1')
  const fingerprintKey = deriveKey(secret, 'primo code fingerprints v1')
  return {
    seal(code: string) {
      const sealed = codes.seal(code)
      return {
        // format byte, nonce, tag, text
        ciphertext: Buffer.concat([
          Buffer.from([1]),
          sealed.subarray(0, 12),
          sealed.subarray(-16),
          sealed.subarray(12, -16),
        ]),
        fingerprint: createHmac('sha256', fingerprintKey).update(code).digest('base64url'),
      }
    },
    open(ciphertext: Buffer): string {
      const [nonce, tag, text] = [ciphertext.subarray(1, 13), ciphertext.subarray(13, 29), ciphertext.subarray(29)]
      const code = codes.open(Buffer.concat([nonce, text, tag]))
      if (!code) throw new Error('a stored code does not open: SECRET changed')
      return code.toString()
    },
  }
}
