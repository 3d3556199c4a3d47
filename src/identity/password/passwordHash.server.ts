import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Failure } from '../../kit/failure.ts'

/** The argon2id cost of new hashes (KiB, passes), as OWASP advises. Each hash includes its cost. Tests lower it. */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
// each hash takes 19 MiB and 40 ms of CPU
const AT_ONCE = 2
const MAX_WAITING = 60

const derive = promisify(argon2)
const inTurn = createQueue({ atOnce: AT_ONCE, mostWaiting: MAX_WAITING })

/** Returns the hash in PHC format. Throws a 503 Failure if the queue is full. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const tag = await inTurn(() =>
    derive('argon2id', { ...passwordCost, message: bytesOf(password), nonce, tagLength: TAG_BYTES }),
  )
  const { memory, passes, parallelism } = passwordCost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([\w+/]{11,86})\$([\w+/]{22,86})$/

export async function isPassword(password: string, phc: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? []
  if (!salt || !tag) return false
  const expected = Buffer.from(tag, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const nonce = Buffer.from(salt, 'base64')
  const message = bytesOf(password)
  const given = await inTurn(() => derive('argon2id', { ...cost, message, nonce, tagLength: expected.length }))
  return timingSafeEqual(given, expected)
}

/** Normalizes to NFKC, because keyboards encode the same letter differently. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

export function createQueue({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }) {
  const waiting: (() => void)[] = []
  let running = 0
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1
    else if (waiting.length < mostWaiting) await new Promise<void>((go) => waiting.push(go))
    else
      throw new Failure(503, 'A lot of people are signing in. Please try again in a moment.', 'busy', { retryAfter: 3 })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
