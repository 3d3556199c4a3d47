import { createHmac } from 'node:crypto'
import { z } from 'zod'

// A backup is a tar of these, gzip-ed, so that it can be opened without the shop too:
//   primo-backup.json                  what it is a backup of
//   tables/<schema.table>/000001.ndjson  rows, a JSON array of texts each; the columns stand in primo-backup.json
//   objects/<key>                      stored bytes
//   data/<name>                        files of DATA_DIR that the rows are worth little without
//   primo-end.json                     what must have come before it

export const HEAD = 'primo-backup.json'
export const END = 'primo-end.json'
export const FORMAT = 1

const Tally = z.object({ count: z.number(), digest: z.string() })

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
  /** The last number each sequence gave out. */
  sequences: z.record(z.string(), z.number()),
  objects: Tally,
  objectBytes: z.number(),
  /** Keys that were missing or had changed when the backup was made. */
  damaged: z.array(z.string()),
})
export type End = z.infer<typeof End>

/** What the objects' tally is made of. */
export const objectLine = (key: string, sizeBytes: number, sha256: string) => `${key} ${sizeBytes} ${sha256}`

/** Tells whether two secrets are the same without telling them. */
export const markSecret = (secret: string) =>
  createHmac('sha256', secret).update('primo backup').digest('hex').slice(0, 16)
