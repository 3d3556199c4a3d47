import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time, so that the duration reveals nothing about the secret. */
export function isSameSecret(given: string | Buffer, own: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)]
  return a.length === b.length && timingSafeEqual(a, b)
}
