// The licence file: software reads it without internet. `payload` is JSON as text, because the signature covers its bytes.

export type LicenseFile = { payload: string; signature: string; kid: string }

/** What a file says. Key and device are SHA-256 sums in hexadecimal digits. */
export type FilePayload = {
  productId: string
  key: string
  device: string
  seats: number
  issuedAt: string
  expiresAt: string
}

/** A file cannot be taken back, so it ends after this time at most. */
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
