import { useEffect, useState } from 'react'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { FaultState } from '../FaultState.tsx'
import { openSource } from '../openFile.client.ts'
import type { ReaderProps } from '../readerProps.ts'
import { useKeptPlace } from '../useKeptPlace.ts'
import { type Entry, openPdf, type OpenPdf, readContents } from './pdf.client.ts'
import { PdfPages } from './PdfPages.tsx'

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

function Pages({ lineId, file, pdf, onDownload }: PagesProps) {
  const count = pdf.numPages
  const [page, setPage] = useState(() => Math.min(count, Math.max(1, Number.parseInt(file.place ?? '1', 10) || 1)))
  const [contents, setContents] = useState<Entry[]>([])
  const kept = useKeptPlace(lineId, file.id)
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
  return (
    <div className={`reader ${contents.length > 0 ? 'reader--contents' : ''}`}>
      {contents.length > 0 && (
        <nav aria-label="Contents">
          <ol className="toc">
            {contents.map((entry, i) => (
              <li key={i}>
                <button
                  type="button"
                  aria-current={i === chapter ? 'location' : undefined}
                  onClick={() => go(entry.page)}
                >
                  <span>{entry.title}</span>
                  <span className="num">{entry.page}</span>
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <PdfPages pdf={pdf} title={contents[chapter]?.title ?? ''} page={page} onGo={go} onDownload={onDownload} />
    </div>
  )
}
