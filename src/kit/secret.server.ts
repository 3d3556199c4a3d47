import { timingSafeEqual } from 'node:crypto'

/** Returns the token of a Bearer header. Undefined for another scheme or for a text that is not a token of the shop. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer ([\w-]{20,100})$/i.exec(header ?? '')?.[1]

/** Reads the token of 'Bearer x' or the password of 'Basic': some providers accept only a URL with a password. */
export function tokenOf(authorization = ''): string {
  const [scheme = '', given = ''] = authorization.split(' ')
  if (scheme.toLowerCase() === 'bearer') return given
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(given, 'base64').toString() : ''
  return /^[^:]*:(.*)$/s.exec(pair)?.[1] ?? ''
}

/** Compares in constant time, so that the duration reveals nothing about the secret. */
export function isSameSecret(given: string | Buffer, own: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)]
  return a.length === b.length && timingSafeEqual(a, b)
}
