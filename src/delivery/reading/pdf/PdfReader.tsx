import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { useIsWide } from '../../../ui/useMatches.ts'
import { FaultState } from '../FaultState.tsx'
import { LookButton } from '../look/LookButton.tsx'
import { openSource } from '../openFile.client.ts'
import { ContentsButton, type ContentsProps, ReaderContents } from '../ReaderContents.tsx'
import type { ReaderProps } from '../readerProps.ts'
import { useKeptPlace } from '../useKeptPlace.ts'
import { type Entry, openPdf, type OpenPdf, readContents } from './pdf.client.ts'
import { PdfPages } from './PdfPages.tsx'
import { ZoomButtons } from './ZoomButtons.tsx'

export function PdfReader(props: ReaderProps) {
  const { lineId, file, onDownload } = props
  const [opened, setOpened] = useState<OpenPdf | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isOver = false
    let open: OpenPdf | null = null
    void (async () => {
      try {
        open = await openPdf(await openSource(lineId, file.id), setFailure)
        if (isOver) open.close()
        else setOpened(open)
      } catch (error) {
        if (!isOver) setFailure(error)
      }
    })()
    return () => {
      isOver = true
      open?.close()
    }
  }, [lineId, file.id, tries])
  const retry = () => {
    setFailure(null)
    setOpened(null)
    setTries(tries + 1)
  }
  if (failure !== null)
    return <FaultState failure={failure} title="Couldn’t open the PDF" onRetry={retry} onDownload={onDownload} />
  if (!opened) return <Skeleton height="30rem" />
  return <Pages key={tries} {...props} {...opened} />
}

type PagesProps = ReaderProps & OpenPdf

function Pages({ lineId, file, pdf, tools, others, onBars, onDownload }: PagesProps) {
  const count = pdf.numPages
  const [page, setPage] = useState(() => Math.min(count, Math.max(1, Number.parseInt(file.place ?? '1', 10) || 1)))
  const [zoom, setZoom] = useState(1)
  const [contents, setContents] = useState<Entry[]>([])
  const kept = useKeptPlace(lineId, file.id)
  const isWide = useIsWide()
  const go = (next: number) => {
    setPage(next)
    kept.current?.note(String(next), next / count)
  }
  useEffect(() => {
    let isOver = false
    readContents(pdf).then(
      (found) => !isOver && setContents(found),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [pdf])
  const chapter = contents.findLastIndex((entry) => entry.page <= page)
  const listed: ContentsProps = {
    entries: contents.map((entry) => ({ title: entry.title, note: String(entry.page) })),
    current: chapter,
    onGo: (index) => go(contents[index]?.page ?? page),
  }
  return (
    <div className={`reader ${contents.length > 0 ? 'reader--contents' : ''}`}>
      {isWide && contents.length > 0 && <ReaderContents {...listed} />}
      <PdfPages
        pdf={pdf}
        title={contents[chapter]?.title ?? ''}
        page={page}
        zoom={zoom}
        onZoom={setZoom}
        onGo={go}
        onBars={onBars}
        onDownload={onDownload}
      >
        {!isWide && <ContentsButton {...listed} others={others} />}
      </PdfPages>
      {tools &&
        createPortal(
          <>
            <ZoomButtons zoom={zoom} onZoom={setZoom} />
            <LookButton hasText={false} />
          </>,
          tools,
        )}
    </div>
  )
}
