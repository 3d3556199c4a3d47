import { Failure } from '../../kit/failure.ts'
import { claimProblem, extensionOf, isProgramBytes, isProgramName } from './claim.rules.ts'
import { ENCRYPTION_PATH, isProtected } from './protection.rules.ts'
import { sniff, SNIFFED_BYTES } from './sniff.rules.ts'
import type { Storage } from '../storage.server.ts'
import { countGzip, countZip } from './unpacked.server.ts'
import { type ReadBytes, readEntry, readZip, type ZipEntry } from './zip.server.ts'

// Checks before a sale that a file has the type of its name and opens.

type Claimed = { id: string; sizeBytes: number; fileName: string | null }

const CONTAINER = 'META-INF/container.xml'
const MAX_CONTAINER_BYTES = 64 * 1024
/** Large, because encryption.xml lists each encrypted file of a book. */
const MAX_ENCRYPTION_BYTES = 4 * 1024 * 1024
/** PDF readers search for the end marker in this many last bytes. */
const PDF_TAIL = 4096

/** Returns whether the file is or contains a program. Throws a Failure 415 with the reason for an invalid file. */
export async function checkFile(
  storage: Storage,
  { id, sizeBytes, fileName }: Claimed,
): Promise<{ isProgram: boolean }> {
  const read = readerOf(storage, id)
  const head = await read(0, Math.min(sizeBytes, SNIFFED_BYTES))
  const sniffed = sniff(head, head.length === sizeBytes)
  const extension = fileName ? extensionOf(fileName) : sniffed.extension
  const refuse = (why: string) => refusalOf(fileName, why)
  const problem = claimProblem(extension, sniffed, head)
  if (problem) throw refuse(problem)
  if (extension === 'pdf' && !(await hasPdfEnd(read, sizeBytes))) throw refuse('isn’t a whole PDF: its end is missing.')
  if (sniffed.extension !== 'zip' && sniffed.extension !== 'epub')
    return { isProgram: isProgramName(fileName ?? '') || isProgramBytes(head, sniffed) }

  const entries = await readZip(read, sizeBytes)
  // checked for any name, because some programs find files in an archive without its directory
  if (!entries) throw refuse('is an archive that doesn’t open.')
  if (entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0) > mostUnpacked(sizeBytes)) throw refuse(BOMB)
  if (extension === 'epub' && !(await hasBook(read, entries)))
    throw refuse('isn’t a whole EPUB: the parts that readers need are missing.')
  if (sniffed.extension === 'epub' && (await isLocked(read, entries)))
    throw refuse('is protected (DRM), so its buyers couldn’t open it. Upload it without protection.')
  return { isProgram: [fileName ?? '', ...entries.map((entry) => entry.name)].some(isProgramName) }
}

const BOMB = 'is an archive that unpacks to more than 100 times its size.'
const MAX_TIMES = 100
/** Smaller unpacked files are harmless at any ratio. */
const HARMLESS_BYTES = 10 * 1024 * 1024

const mostUnpacked = (sizeBytes: number) => Math.max(HARMLESS_BYTES, MAX_TIMES * sizeBytes)

/** Limits the work for one archive to about two minutes. */
const MAX_COUNTED_BYTES = 64 * 1024 ** 3

/**
 * Throws a Failure 415 if an archive unpacks to more than the limit. The sizes in an archive may be false, so this
 * unpacks it and discards the bytes. Runs once per upload, not per sale.
 */
export async function refuseBomb(storage: Storage, { id, sizeBytes, fileName }: Claimed) {
  const read = readerOf(storage, id)
  const { extension } = sniff(await read(0, Math.min(sizeBytes, SNIFFED_BYTES)))
  const entries = extension === 'zip' || extension === 'epub' ? await readZip(read, sizeBytes) : null
  if (extension !== 'gz' && !entries) return
  const most = Math.min(mostUnpacked(sizeBytes), MAX_COUNTED_BYTES)
  const open = async () => (await storage.open(id)).stream
  const unpacked = entries ? await countZip(open, entries, most) : await countGzip(open, most)
  if (unpacked > most)
    throw refusalOf(fileName, most < MAX_COUNTED_BYTES ? BOMB : 'is an archive that unpacks to more than 64 GB.')
}

const refusalOf = (fileName: string | null, why: string) =>
  new Failure(415, `${fileName ? `“${fileName}”` : 'This file'} ${why}`, 'not_as_claimed')

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

/** Checks that the package file named in the container of an EPUB exists in the archive. */
async function hasBook(read: ReadBytes, entries: ZipEntry[]): Promise<boolean> {
  const container = entries.find(({ name }) => name === CONTAINER)
  const xml = container && (await readEntry(read, container, MAX_CONTAINER_BYTES))
  const [, path] = /full-path\s*=\s*["']([^"']+)["']/.exec(xml?.toString() ?? '') ?? []
  return path !== undefined && entries.some(({ name }) => name === path)
}

async function isLocked(read: ReadBytes, entries: ZipEntry[]): Promise<boolean> {
  const entry = entries.find(({ name }) => name === ENCRYPTION_PATH)
  const xml = entry && (await readEntry(read, entry, MAX_ENCRYPTION_BYTES))
  return xml ? isProtected(xml.toString()) : false
}
