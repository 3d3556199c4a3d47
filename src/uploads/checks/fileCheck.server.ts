import { Failure } from '../../kit/failure.ts'
import { claimProblem, extensionOf, isArchive, isProgramBytes, isProgramName } from './claim.rules.ts'
import { sniff, SNIFFED_BYTES } from './sniff.rules.ts'
import type { Storage } from '../storage.server.ts'
import { type ReadBytes, readEntry, readZip, type ZipEntry } from './zip.server.ts'

// A file must be what its name claims before buyers pay for it: its type, and that it opens.

type Claimed = { id: string; sizeBytes: number; fileName: string | null }

const CONTAINER = 'META-INF/container.xml'
const MOST_CONTAINER_BYTES = 64 * 1024
/** Readers look for the end of a PDF here. */
const PDF_TAIL = 4096

/** Answers whether the file is a program or brings one. Throws a Failure 415 with the reason for a file that lies. */
export async function checkFile(
  storage: Storage,
  { id, sizeBytes, fileName }: Claimed,
): Promise<{ isProgram: boolean }> {
  const read = readerOf(storage, id)
  const head = await read(0, Math.min(sizeBytes, SNIFFED_BYTES))
  const sniffed = sniff(head, head.length === sizeBytes)
  const extension = fileName ? extensionOf(fileName) : sniffed.extension
  const name = fileName ? `“${fileName}”` : 'This file'
  const refuse = (why: string) => new Failure(415, `${name} ${why}`, 'not_as_claimed')
  const problem = claimProblem(extension, sniffed, head)
  if (problem) throw refuse(problem)
  if (extension === 'gz' && (await isBomb(sizeBytes, () => gzipBytes(read, sizeBytes)))) throw refuse(BOMB)
  if (extension === 'pdf' && !(await hasPdfEnd(read, sizeBytes))) throw refuse('isn’t a whole PDF: its end is missing.')
  if (sniffed.extension !== 'zip' && sniffed.extension !== 'epub')
    return { isProgram: isProgramName(fileName ?? '') || isProgramBytes(head, sniffed) }

  const entries = await readZip(read, sizeBytes)
  if (!entries && isArchive(extension)) throw refuse('is an archive that doesn’t open.')
  const unpacked = (entries ?? []).reduce((sum, entry) => sum + entry.unpackedBytes, 0)
  if (await isBomb(sizeBytes, async () => unpacked)) throw refuse(BOMB)
  if (extension === 'epub' && !(await hasBook(read, entries!)))
    throw refuse('isn’t a whole EPUB: the parts that readers need are missing.')
  return { isProgram: [fileName ?? '', ...(entries ?? []).map((entry) => entry.name)].some(isProgramName) }
}

const BOMB = 'is an archive that unpacks to more than 100 times its size.'
const MOST_TIMES = 100
/** Smaller ones do no harm, whatever their ratio. */
const HARMLESS_BYTES = 10 * 1024 * 1024

async function isBomb(sizeBytes: number, unpackedBytes: () => Promise<number>): Promise<boolean> {
  const bytes = await unpackedBytes()
  return bytes > HARMLESS_BYTES && bytes > MOST_TIMES * sizeBytes
}

/** The size that a GZIP archive claims at its end. */
async function gzipBytes(read: ReadBytes, sizeBytes: number): Promise<number> {
  const end = await read(sizeBytes - 4, 4)
  return end.length === 4 ? end.readUInt32LE(0) : 0
}

const readerOf =
  (storage: Storage, id: string): ReadBytes =>
  async (start, length) => {
    if (length <= 0 || start < 0) return Buffer.alloc(0)
    const { stream } = await storage.open(id, { start, end: start + length - 1 })
    return Buffer.concat(await stream.toArray())
  }

async function hasPdfEnd(read: ReadBytes, sizeBytes: number): Promise<boolean> {
  const from = Math.max(0, sizeBytes - PDF_TAIL)
  return (await read(from, sizeBytes - from)).includes('%%EOF')
}

/** The container of an EPUB names its package, which must be in the archive. */
async function hasBook(read: ReadBytes, entries: ZipEntry[]): Promise<boolean> {
  const container = entries.find(({ name }) => name === CONTAINER)
  const xml = container && (await readEntry(read, container, MOST_CONTAINER_BYTES))
  const [, path] = /full-path\s*=\s*["']([^"']+)["']/.exec(xml?.toString() ?? '') ?? []
  return path !== undefined && entries.some(({ name }) => name === path)
}
