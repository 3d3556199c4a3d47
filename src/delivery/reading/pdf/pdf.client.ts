import {
  getDocument,
  PDFDataRangeTransport,
  PDFWorker,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
// the build creates the worker
// oxlint-disable-next-line import/default
import Worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker'
import { FileFault } from '../fault.ts'
import { openBlob, type OpenedFile } from '../openFile.client.ts'

// The PDF library reads a file in ranges, in a worker of the same origin. It runs no scripts of the file.

const RANGE_BYTES = 256 * 1024

/** Folder of the library's decoders, character maps and fonts, which the build copies (scripts/pdfFiles.ts). */
const FILES = `/assets/pdf/${version}/`

export type OpenPdf = { pdf: PDFDocumentProxy; close: () => void }

/** Opens a PDF. Rejects with a FileFault if it cannot be shown. `onLost` runs if a later part fails to load. */
export async function openPdf(file: OpenedFile, onLost: (failure: unknown) => void): Promise<OpenPdf> {
  const port = new Worker()
  const worker = PDFWorker.create({ port })
  let task: PDFDocumentLoadingTask | undefined
  let isOver = false
  let lose = onLost
  const fail = (failure: unknown) => !isOver && lose(failure)
  const close = () => {
    isOver = true
    void Promise.resolve(task?.destroy()).finally(() => {
      worker.destroy()
      port.terminate()
    })
  }
  const lost = new Promise<never>((_, reject) => (lose = reject))
  port.addEventListener('error', fail, { once: true })
  try {
    const range = new PDFDataRangeTransport(file.sizeBytes, await file.read(0, RANGE_BYTES))
    range.requestDataRange = (begin, end) => {
      file.read(begin, end).then((bytes) => !isOver && range.onDataRange(begin, bytes), fail)
    }
    task = getDocument({
      ...{ range, worker, rangeChunkSize: RANGE_BYTES, disableAutoFetch: true, disableStream: true },
      // the content security policy allows neither eval nor WebAssembly, so the decoders are scripts
      ...{ useWasm: false, enableXfa: false, useSystemFonts: true, stopAtErrors: false },
      ...{ wasmUrl: `${FILES}wasm/`, cMapUrl: `${FILES}cmaps/`, standardFontDataUrl: `${FILES}standard_fonts/` },
    })
    const pdf = await Promise.race([task.promise.catch(findFault), lost])
    if (pdf.numPages === 0) throw new FileFault('empty')
    lose = onLost
    return { pdf, close }
  } catch (error) {
    close()
    throw error
  }
}

function findFault(error: unknown): never {
  throw new FileFault(error instanceof Error && error.name === 'PasswordException' ? 'password' : 'damaged', error)
}

const OFFLINE_PARTS = [
  ...['wasm/openjpeg_nowasm_fallback.js', 'wasm/jbig2_nowasm_fallback.js'],
  ...['standard_fonts/FoxitSymbol.pfb', 'standard_fonts/FoxitDingbats.pfb'],
]
const OFFLINE_PAGES = 20

/** Loads the worker, decoders and character maps that a stored PDF needs. The service worker caches them. */
export async function cacheParts(file: Blob) {
  await Promise.all(OFFLINE_PARTS.map((part) => fetch(FILES + part)))
  const { pdf, close } = await openPdf(openBlob(file), () => undefined)
  try {
    for (let page = 1; page <= Math.min(pdf.numPages, OFFLINE_PAGES); page++) await readText(pdf, page)
  } finally {
    close()
  }
}

/** Returns true if the library left out a picture that it could not decode, or text whose font it could not read. */
export const isIncomplete = ({ objs, commonObjs }: PDFPageProxy): boolean =>
  [...objs, ...(commonObjs as PDFPageProxy['objs'])].some(([, data]) => data === null || typeof data === 'string')

export type Entry = { title: string; page: number; level: number }

export async function readContents(pdf: PDFDocumentProxy): Promise<Entry[]> {
  type Item = NonNullable<Awaited<ReturnType<PDFDocumentProxy['getOutline']>>>[number]
  const walk = async (items: Item[], level: number): Promise<Entry[]> => {
    const entries: Entry[] = []
    for (const { title, dest, items: inner } of items) {
      const target: unknown = typeof dest === 'string' ? await pdf.getDestination(dest) : dest
      const [ref] = Array.isArray(target) ? (target as unknown[]) : []
      const page = typeof ref === 'object' && ref !== null ? await pdf.getPageIndex(ref as never).catch(() => -1) : -1
      if (page >= 0 && title.trim()) entries.push({ title: title.trim(), page: page + 1, level })
      if (level === 0) entries.push(...(await walk(inner as Item[], 1)))
    }
    return entries
  }
  const outline = await pdf.getOutline()
  return outline ? walk(outline, 0) : []
}

export async function readText(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const { items } = await (await pdf.getPage(number)).getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}
