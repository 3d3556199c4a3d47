import {
  getDocument,
  PDFWorker,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
// the build makes the worker
// oxlint-disable-next-line import/default
import Worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker'

// The library that draws PDFs. It reads the file in ranges, in a worker of our own origin, and runs nothing of it.

const RANGE_BYTES = 256 * 1024

export type OpenPdf = { pdf: PDFDocumentProxy; close: () => void }

export async function openPdf(url: string): Promise<OpenPdf> {
  const port = new Worker()
  const worker = PDFWorker.create({ port })
  const task: PDFDocumentLoadingTask = getDocument({
    ...{ url, worker, rangeChunkSize: RANGE_BYTES, disableAutoFetch: true, disableStream: true },
    // the policy of the page allows neither eval nor WebAssembly
    ...{ useWasm: false, enableXfa: false, useSystemFonts: true, stopAtErrors: false },
  })
  const close = () => {
    void task.destroy().finally(() => {
      worker.destroy()
      port.terminate()
    })
  }
  try {
    return { pdf: await task.promise, close }
  } catch (error) {
    close()
    throw error
  }
}

export type Entry = { title: string; page: number; level: number }

/** The contents of a PDF with their pages, two levels deep. */
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

/** The text of a page for screen readers, in lines. */
export async function readText(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const { items } = await (await pdf.getPage(number)).getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}
