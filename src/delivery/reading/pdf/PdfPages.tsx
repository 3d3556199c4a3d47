import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ReaderBar, SizeButtons } from '../ReaderBar.tsx'
import { isIncomplete, readText } from './pdf.client.ts'

type PdfPagesProps = {
  pdf: PDFDocumentProxy
  title: string
  page: number
  onGo: (page: number) => void
  onDownload: () => void
}

/** Wider pages are hard to read and slow to render. */
const WIDEST = 900

export function PdfPages({ pdf, title, page, onGo, onDownload }: PdfPagesProps) {
  const count = pdf.numPages
  const [zoom, setZoom] = useState(1)
  const [text, setText] = useState('')
  const [lacks, setLacks] = useState(false)
  const [brokenPage, setBrokenPage] = useState(0)
  const canvas = useRef<HTMLCanvasElement>(null)
  const paper = useRef<HTMLDivElement>(null)
  const width = useWidth(paper)
  const isBroken = brokenPage === page
  const go = (next: number) => {
    onGo(next)
    if (paper.current && paper.current.getBoundingClientRect().top < 0) paper.current.scrollIntoView()
  }
  useEffect(() => {
    if (width === 0) return
    let isOver = false
    let stop = () => {}
    void (async () => {
      try {
        const shown = await pdf.getPage(page)
        if (isOver) return
        const natural = shown.getViewport({ scale: 1 })
        const dense = Math.min(2, devicePixelRatio)
        const viewport = shown.getViewport({ scale: (Math.min(width, WIDEST) / natural.width) * zoom * dense })
        const element = canvas.current!
        element.width = Math.floor(viewport.width)
        element.height = Math.floor(viewport.height)
        element.style.width = `${Math.floor(viewport.width / dense)}px`
        const drawing = shown.render({ canvas: element, viewport })
        stop = () => drawing.cancel()
        await drawing.promise
        if (!isOver && isIncomplete(shown)) setLacks(true)
        const said = await readText(pdf, page).catch(() => '')
        if (!isOver) setText(said)
      } catch {
        if (!isOver) setBrokenPage(page)
      }
    })()
    return () => {
      isOver = true
      stop()
    }
  }, [pdf, page, zoom, width])
  useEffect(() => {
    // frees the images of the previous page
    const free = () => pdf.getPage(page).then((left) => left.cleanup())
    return () => void free().catch(() => undefined)
  }, [pdf, page])

  const turn = ({ key }: { key: string }) => {
    if (zoom > 1) return
    if (key === 'ArrowRight' && page < count) go(page + 1)
    else if (key === 'ArrowLeft' && page > 1) go(page - 1)
  }
  const turnAnywhere = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.target as Element).closest?.('input, textarea, select, dialog, [role="dialog"]')) turn(event)
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => turnAnywhere(event)
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <article className="reader__page" aria-label={`Page ${page}`}>
      <div className="reader__bar">
        <p className="small muted">{title}</p>
        <SizeButtons size={zoom} least={1} most={3} step={0.5} what="page" onChange={setZoom} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={paper} className="reader__paper" role="region" aria-label="The page" tabIndex={0}>
        <canvas ref={canvas} hidden={isBroken} aria-hidden />
      </div>
      {(lacks || isBroken) && (
        <p className="row small" role="alert">
          {isBroken ? 'This page can’t be shown here.' : 'This PDF has pictures or text that can’t be shown here.'}
          <Button tone="quiet" onClick={onDownload}>
            Download to see everything
          </Button>
        </p>
      )}
      <p className="sr">{text}</p>
      <ReaderBar word="Page" number={page} count={count} onGo={go} />
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
