import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kit/secret.server.ts'
import { STEP_SECONDS } from './totp.rules.ts'

const DRIFT = 1

/** Returns the six-digit code of a step (RFC 4226). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const at = hash.readUInt8(hash.length - 1) & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Returns the time step near `now` (milliseconds since 1970) that has this code (RFC 6238), or null. */
export function stepOf(secret: Buffer, code: string, now: number): number | null {
  const current = Math.floor(now / 1000 / STEP_SECONDS)
  let found: number | null = null
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    if (isSameSecret(code, codeAt(secret, step))) found ??= step
  }
  return found
}
