import { createHash } from 'node:crypto'

// A measure of many lines that does not depend on their order: how many, and the sum of their SHA-256 (modulo 2^256).

export type Tally = { count: number; digest: string }

const MASK = (1n << 256n) - 1n

export function createTally() {
  let count = 0
  let sum = 0n
  return {
    add: (line: string) => {
      count++
      sum = (sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) & MASK
    },
    read: (): Tally => ({ count, digest: sum.toString(16).padStart(64, '0') }),
  }
}

export const isSameTally = (one: Tally | undefined, other: Tally | undefined) =>
  one !== undefined && one.count === other?.count && one.digest === other.digest
