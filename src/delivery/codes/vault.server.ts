import { createHash, createHmac } from 'node:crypto'
import { createSeal, deriveKey } from '../../kit/seal.server.ts'
import type { CodeSecrets } from '../delivery.settings.server.ts'
import type { CodeParts } from './codeParts.rules.ts'

// Encrypts stored codes with AES-256-GCM. An encrypted code is a format byte, the key id, nonce, tag and text. PIN and
// serial number are encrypted separately and bound to the number.

const FORMAT = 2
const KEY_ID_BYTES = 4

export class SealedOtherwise extends Error {}

type Sealed = { ciphertext: Buffer; sealedParts: Buffer | null }
type Others = Omit<CodeParts, 'code'>

export type CodeVault = ReturnType<typeof openCodeVault>

/** The fingerprint, a keyed hash of the number, finds duplicates. `former` decrypts codes of an earlier secret. */
export function openCodeVault(secret: string, former?: string) {
  const present = openKey(secret)
  const keys = [present, ...(former ? [openKey(former)] : [])]
  const sealText = (text: string, owner?: string) => {
    const sealed = present.seal.seal(text, owner)
    return Buffer.concat([
      ...[Buffer.from([FORMAT]), present.id],
      ...[sealed.subarray(0, 12), sealed.subarray(-16), sealed.subarray(12, -16)],
    ])
  }
  const openText = (ciphertext: Buffer, owner?: string): string | null => {
    const start = 1 + KEY_ID_BYTES
    const fitting = keys.filter(({ id }) => id.equals(ciphertext.subarray(1, start)))
    const [nonce, tag, text] = [
      ciphertext.subarray(start, start + 12),
      ciphertext.subarray(start + 12, start + 28),
      ciphertext.subarray(start + 28),
    ]
    for (const { seal } of fitting) {
      const opened = seal.open(Buffer.concat([nonce, text, tag]), owner)
      if (opened) return opened.toString()
    }
    return null
  }
  const openCode = (ciphertext: Buffer) => openText(ciphertext)
  const tryOpen = ({ ciphertext, sealedParts }: Sealed): CodeParts | null => {
    const code = openCode(ciphertext)
    if (code === null) return null
    if (!sealedParts) return { code, pin: '', serial: '' }
    const others = openText(sealedParts, code)
    return others === null ? null : { code, ...(JSON.parse(others) as Others) }
  }
  return {
    seal(sold: string | CodeParts) {
      const { code, pin, serial } = typeof sold === 'string' ? { code: sold, pin: '', serial: '' } : sold
      return {
        ciphertext: sealText(code),
        sealedParts: pin === '' && serial === '' ? null : sealText(JSON.stringify({ pin, serial }), code),
        fingerprint: present.fingerprint(code),
      }
    },
    openCode,
    /** Returns null if no secret can decrypt the code. */
    tryOpen,
    open(sealed: Sealed): CodeParts {
      const parts = tryOpen(sealed)
      if (!parts) throw new SealedOtherwise('a stored code does not open: the secret of the codes changed')
      return parts
    },
    /** Computed with the present secret, then with the earlier one. */
    fingerprints: (code: string) => keys.map(({ fingerprint }) => fingerprint(code)),
    mark: Buffer.concat([Buffer.from([FORMAT]), present.id]),
    marks: keys.map(({ id }) => Buffer.concat([Buffer.from([FORMAT]), id])),
  }
}

/** Opens the vault of the settings. Without CODES_SECRET, codes are encrypted with the shop's secret. */
export const openCodes = ({ codesSecret, formerCodesSecret }: CodeSecrets, secret: string): CodeVault =>
  openCodeVault(codesSecret ?? secret, formerCodesSecret ?? (codesSecret && secret))

function openKey(secret: string) {
  const fingerprintKey = deriveKey(secret, 'primo code fingerprints v1')
  return {
    id: createHash('sha256').update(deriveKey(secret, 'primo codes key id v1')).digest().subarray(0, KEY_ID_BYTES),
    seal: createSeal(secret, 'primo codes v1'),
    fingerprint: (code: string) => createHmac('sha256', fingerprintKey).update(code).digest('base64url'),
  }
}
