import { timingSafeEqual } from 'node:crypto'

/** The token of an Authorization header; undefined for another scheme, and for a text that is no token of this shop. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer ([\w-]{20,100})$/i.exec(header ?? '')?.[1]

/** Reads 'Bearer x' or the password of 'Basic': some providers take only a URL with a password in it. */
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
