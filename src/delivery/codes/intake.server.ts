import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { openLines, problemOf } from './codeLines.rules.ts'
import type { CodeParts } from './codeParts.rules.ts'
import { findOwners, insertCodes } from './codes.statements.server.ts'
import { readLines } from './readLines.server.ts'
import { type CodeList, LINE_PROBLEMS, MAX_CODES } from './stock.contract.ts'
import { noteLines, refuseList } from './lists.store.server.ts'
import { queueSettling, settleStock } from './stock.store.server.ts'
import type { CodeVault } from './vault.server.ts'
import { firstOf } from '../../kit/values/required.ts'

// Imports a list of codes in batches as it arrives: it is never whole in memory, and each batch is for sale at once. A
// repeated list adds missing codes.

const AT_ONCE = 1000
const SHOWN_PROBLEMS = 100

const TOO_MANY = new Failure(
  413,
  `The list has more than ${MAX_CODES.toLocaleString('en')} lines. Split it. Those before are added.`,
  'too_many',
)

type AddCodesInput = {
  sellerId: string
  productId: string
  isPreview: boolean
  isTable: boolean
  /** The last day of codes whose line has none. */
  day: string
}
type New = { line: number; parts: CodeParts; fingerprints: string[]; day: string }

export async function takeInCodes(
  { db, vault }: { db: Db; vault: CodeVault },
  asked: AddCodesInput,
  bytes: AsyncIterable<Buffer>,
): Promise<CodeList> {
  const counts = Object.fromEntries(LINE_PROBLEMS.map((why) => [why, 0])) as CodeList['counts']
  const list: CodeList = { fresh: 0, counts, problems: [], columns: [] }
  const note = (line: number, why: keyof CodeList['counts'], before?: number) => {
    counts[why]++
    if (list.problems.length < SHOWN_PROBLEMS) list.problems.push({ line, why, ...(before && { before }) })
  }
  const today = new Date().toISOString().slice(0, 10)
  const lines = openLines(asked)
  let hasPins = false
  /** Maps fingerprints to lines. Twelve characters save memory. */
  const seen = new Map<string, number>()
  let batch: New[] = []
  const flush = async () => {
    const known = asked.isPreview ? await findKnown(db, asked.sellerId, batch) : await addBatch(db, vault, asked, batch)
    let ofOthers = 0
    for (const { line, fingerprints } of batch) {
      const isOwn = known.get(firstOf(fingerprints))
      if (isOwn === undefined) list.fresh++
      else if (isOwn) note(line, 'known')
      else {
        // hides from the seller which lines are codes of another seller
        counts.known++
        ofOthers++
      }
    }
    await noteLines(db, asked.sellerId, batch.length, ofOthers)
    batch = []
  }
  let line = 0
  await refuseList(db, asked.sellerId)
  for await (const text of readLines(bytes)) {
    if (++line > MAX_CODES + 1) throw TOO_MANY
    const read = lines.read(text)
    if (!read) {
      hasPins = lines.columns().some(({ as }) => as === 'pin')
      continue
    }
    const why = problemOf(read, { today, hasPins })
    if (why) {
      note(line, why)
      continue
    }
    const fingerprints = vault.fingerprints(read.code)
    const part = firstOf(fingerprints).slice(0, 12)
    const before = seen.get(part)
    if (before !== undefined) {
      note(line, 'repeated', before)
      continue
    }
    seen.set(part, line)
    const { day, ...parts } = read
    batch.push({ line, parts, fingerprints, day: day || asked.day })
    if (batch.length === AT_ONCE) await flush()
  }
  if (batch.length > 0) await flush()
  list.problems.sort((a, b) => a.line - b.line)
  return { ...list, columns: [...lines.columns()] }
}

/** Finds codes that the shop has by their present fingerprint, and whether they are the seller's own. */
async function findKnown(db: Db | Tx, sellerId: string, batch: New[]): Promise<Map<string, boolean>> {
  const rows = await findOwners(db, { fingerprints: batch.flatMap(({ fingerprints }) => fingerprints) })
  const owners = new Map(rows.map((row) => [row.fingerprint, row.sellerId]))
  return new Map(
    batch.flatMap(({ fingerprints }) => {
      const owner = fingerprints.map((one) => owners.get(one)).find((id) => id !== undefined)
      return owner === undefined ? [] : [[firstOf(fingerprints), owner === sellerId] as const]
    }),
  )
}

const addBatch = (db: Db, vault: CodeVault, { productId, sellerId }: AddCodesInput, batch: New[]) =>
  inTransaction(db, async (tx) => {
    const known = await findKnown(tx, sellerId, batch)
    // in index order, so that two lists with the same codes cannot deadlock
    const fresh = batch
      .filter(({ fingerprints }) => !known.has(firstOf(fingerprints)))
      .toSorted((a, b) => (firstOf(a.fingerprints) < firstOf(b.fingerprints) ? -1 : 1))
    if (fresh.length === 0) return known
    const sealed = fresh.map(({ parts }) => vault.seal(parts))
    const rows = await insertCodes(tx, {
      productId,
      ciphertexts: sealed.map(({ ciphertext }) => ciphertext),
      sealedParts: sealed.map(({ sealedParts }) => sealedParts),
      fingerprints: sealed.map(({ fingerprint }) => fingerprint),
      days: fresh.map(({ day }) => day || null),
    })
    const added = new Set(rows.map(({ fingerprint }) => fingerprint))
    await settleStock(tx, productId)
    // a concurrent sale may have counted the stock before this commit
    await queueSettling(tx, productId)
    // a concurrent list added these codes first
    const missed = fresh.filter(({ fingerprints }) => !added.has(firstOf(fingerprints)))
    return missed.length === 0 ? known : new Map([...known, ...(await findKnown(tx, sellerId, missed))])
  })
