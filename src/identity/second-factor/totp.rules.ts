const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const STEP_SECONDS = 30

/** Encodes Base32 (RFC 4648) without padding, as authenticator apps expect it. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31]
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text
}

export function keyUri(secret: string, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer })}`
}

/** Returns null if the text is neither six digits nor a recovery code. Ignores spaces and dashes. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } | null {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(code)) return { kind: 'app', code }
  return /^[A-Z2-7]{12}$/.test(code) ? { kind: 'recovery', code } : null
}

export const inGroups = (code: string, dash = '-'): string => code.match(/.{1,4}/g)?.join(dash) ?? ''
