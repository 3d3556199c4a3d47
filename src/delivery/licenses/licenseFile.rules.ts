// Licence file for software without internet access. `payload` is JSON text, because the signature covers its bytes.

export type LicenseFile = { payload: string; signature: string; kid: string }

/** Content of a licence file. Key and device are hexadecimal SHA-256 hashes. */
export type FilePayload = {
  productId: string
  key: string
  device: string
  seats: number
  issuedAt: string
  expiresAt: string
}

/** Maximum lifetime of a licence file, because it cannot be revoked. */
export const FILE_DAYS = 90
const DAY_MS = 86_400_000

export const endOfFile = (issuedAt: Date, keyExpiresAt: Date | null): Date =>
  new Date(Math.min(issuedAt.getTime() + FILE_DAYS * DAY_MS, keyExpiresAt?.getTime() ?? Infinity))

export function fileNameOf(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `${name || 'licence'}.license.json`
}
