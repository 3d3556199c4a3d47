import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from '../../../kit/store.client.ts'
import { Button } from '../../../ui/Button.tsx'
import { useIsWide } from '../../../ui/useMatches.ts'
import { readerLook } from '../look/look.client.ts'
import { ReaderBar } from '../ReaderBar.tsx'
import type { BarsChange } from '../readerProps.ts'
import type { Point } from '../turning/gesture.rules.ts'
import { useTurning } from '../turning/useTurning.ts'
import { usePageDrawing } from './usePageDrawing.ts'
import { scrollToKeep, zoomAfterDoubleTap } from './zoom.rules.ts'

type PdfPagesProps = {
  pdf: PDFDocumentProxy
  title: string
  page: number
  zoom: number
  onZoom: (zoom: number) => void
  onGo: (page: number) => void
  onDownload: () => void
  onBars?: (change: BarsChange) => void
  /** Buttons next to those that turn the page. */
  children?: ReactNode
}

/** Wider pages are hard to read and slow to render. */
const WIDEST = 900

export function PdfPages({ pdf, title, page, zoom, onZoom, onGo, onDownload, onBars, children }: PdfPagesProps) {
  const count = pdf.numPages
  const isFitted = !useIsWide()
  const { paper: colours } = useStore(readerLook)
  const surface = useRef<HTMLElement>(null)
  const paper = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const tapped = useRef<Point>(null)
  const width = Math.min(WIDEST, useWidth(paper))
  const { text, isLacking, isBroken } = usePageDrawing(sheet, { pdf, page, width, zoom, isFitted })
  const go = (next: number) => {
    onGo(next)
    paper.current?.scrollTo(0, 0)
    if (paper.current && paper.current.getBoundingClientRect().top < 0) paper.current.scrollIntoView()
  }
  // stretches the drawn page until the sharper one replaces it
  useLayoutEffect(() => {
    const point = tapped.current
    const canvas = sheet.current?.querySelector('canvas')
    tapped.current = null
    if (!point || !canvas) return
    const before = canvas.getBoundingClientRect()
    canvas.style.width = `${width * zoom}px`
    paper.current?.scrollBy(scrollToKeep(point, before, canvas.getBoundingClientRect()))
  }, [zoom, width])

  useTurning(surface, {
    onTurn(step, by) {
      const next = page + step
      if (zoom > 1 || next < 1 || next > count) return
      go(next)
      if (by === 'swipe') onBars?.('hide')
    },
    onTap: () => onBars?.('toggle'),
    onDoubleTap(point) {
      tapped.current = point
      onZoom(zoomAfterDoubleTap(zoom))
    },
  })
  return (
    <article ref={surface} className="reader__page" data-paper={colours ?? undefined} aria-label={`Page ${page}`}>
      <p className="reader__where small muted">{title}</p>
      <div
        ref={paper}
        className="reader__paper"
        data-zoomed={zoom > 1 || undefined}
        role="region"
        aria-label="The page"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <div ref={sheet} className="reader__sheet" hidden={isBroken} aria-hidden />
      </div>
      {(isLacking || isBroken) && (
        <p className="reader__alert row small" role="alert">
          {isBroken ? 'This page can’t be shown here.' : 'This PDF has pictures or text that can’t be shown here.'}
          <Button tone="quiet" onClick={onDownload}>
            Download to see everything
          </Button>
        </p>
      )}
      <p className="sr">{text}</p>
      <p className="reader__folio small muted num" aria-hidden>
        Page {page}
      </p>
      <ReaderBar word="Page" number={page} count={count} onTurn={(step) => go(page + step)}>
        {children}
      </ReaderBar>
    </article>
  )
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    watcher.observe(element.current!)
    return () => watcher.disconnect()
  }, [element])
  return width
}
