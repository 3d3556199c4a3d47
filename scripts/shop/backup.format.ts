import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'

// A backup is a tar.gz, so that it can be opened without the shop:
//   primo-backup.json                    Head
//   tables/<schema.table>/000001.ndjson  rows, one JSON array of texts per line, in the order of Head.columns
//   objects/<key>                        stored files
//   data/<name>                          the secret and the demo accounts of DATA_DIR
//   primo-end.json                       End

export const HEAD = 'primo-backup.json'
export const END = 'primo-end.json'
export const FORMAT = 1

const Tally = z.object({ count: z.number(), digest: z.string() })
/** A checksum of lines that does not depend on their order: their number and the sum of their SHA-256. */
export type Tally = z.infer<typeof Tally>

export const Head = z.object({
  format: z.number(),
  madeAt: z.string(),
  storeName: z.string(),
  migrations: z.array(z.string()).min(1),
  columns: z.record(z.string(), z.array(z.string())),
  secretMark: z.string(),
})
export type Head = z.infer<typeof Head>

export const End = z.object({
  tables: z.record(z.string(), Tally),
  /** The last number of each sequence. */
  sequences: z.record(z.string(), z.number()),
  objects: Tally,
  objectBytes: z.number(),
  /** Keys of files that were missing or changed when the backup was made. */
  damaged: z.array(z.string()),
})
export type End = z.infer<typeof End>

/** The line of a stored file in the tally of objects. */
export const objectLine = (key: string, sizeBytes: number, sha256: string) => `${key} ${sizeBytes} ${sha256}`

/** Identifies a secret without revealing it. */
export const markSecret = (secret: string) =>
  createHmac('sha256', secret).update('primo backup').digest('hex').slice(0, 16)

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
