import { createHmac, timingSafeEqual } from 'node:crypto'
import { STEP_SECONDS } from './totp.rules.ts'

/** How many steps a clock may be off, to either side. */
const DRIFT = 1

/** RFC 4226 with six digits. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const at = hash.at(-1)! & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step whose code this is, about now (`now` in milliseconds since 1970); null when it is of none. RFC 6238. */
export function stepOf(secret: Buffer, code: string, now: number): number | null {
  const current = Math.floor(now / 1000 / STEP_SECONDS)
  const given = Buffer.from(code)
  let found: number | null = null
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    const own = Buffer.from(codeAt(secret, step))
    if (given.length === own.length && timingSafeEqual(given, own)) found ??= step
  }
  return found
}
