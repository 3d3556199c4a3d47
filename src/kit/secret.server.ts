import { timingSafeEqual } from 'node:crypto'

/** The token of an Authorization header; undefined for another scheme, and for a text that is no token of this shop. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer ([\w-]{20,100})$/i.exec(header ?? '')?.[1]

/** Compares in constant time, so that the duration reveals nothing about the secret. */
export function isSameSecret(given: string | Buffer, own: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)]
  return a.length === b.length && timingSafeEqual(a, b)
}
