import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type RefObject, useEffect, useState } from 'react'
import { cropOf, drawPart, wholeOf } from './draw.client.ts'
import { isIncomplete, readText } from './pdf.client.ts'

type DrawingInput = {
  pdf: PDFDocumentProxy
  page: number
  /** Width of the page at the zoom 1, in CSS pixels. Draws nothing at 0. */
  width: number
  zoom: number
  /** Crops the page to its text. */
  isFitted: boolean
}

/** Draws a page into `sheet`. The former page stays until the new one is ready. */
export function usePageDrawing(sheet: RefObject<HTMLElement | null>, input: DrawingInput) {
  const { pdf, page, width, zoom, isFitted } = input
  const [text, setText] = useState('')
  const [isLacking, setLacking] = useState(false)
  const [brokenPage, setBrokenPage] = useState(0)
  useEffect(() => {
    if (width === 0) return
    const ending = new AbortController()
    const { signal } = ending
    void (async () => {
      try {
        const shown = await pdf.getPage(page)
        if (signal.aborted) return
        const part = isFitted ? await cropOf(shown, signal) : wholeOf(shown)
        if (signal.aborted) return
        const { canvas, done, cancel } = drawPart(shown, part, (width / part.width) * zoom)
        signal.addEventListener('abort', cancel, { once: true })
        await done
        if (signal.aborted) return
        sheet.current?.replaceChildren(canvas)
        if (isIncomplete(shown)) setLacking(true)
        const said = await readText(pdf, page).catch(() => '')
        if (!signal.aborted) setText(said)
      } catch {
        if (!signal.aborted) setBrokenPage(page)
      }
    })()
    return () => ending.abort()
  }, [sheet, pdf, page, zoom, width, isFitted])
  useEffect(() => {
    // frees the images of the previous page
    const free = () => pdf.getPage(page).then((left) => left.cleanup())
    return () => void free().catch(() => undefined)
  }, [pdf, page])
  return { text, isLacking, isBroken: brokenPage === page }
}
