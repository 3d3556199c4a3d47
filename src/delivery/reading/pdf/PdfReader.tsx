import { useEffect, useState } from 'react'
import { call } from '../../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../../kit/failure.ts'
import { ErrorState } from '../../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { openFile, type ReadFile } from '../reading.contract.ts'
import { useKeptPlace } from '../useKeptPlace.ts'
import { type Entry, openPdf, type OpenPdf, readContents } from './pdf.client.ts'
import { PdfPages } from './PdfPages.tsx'

/** A PDF page by page. The arrows turn pages, also those of the keyboard. */
export function PdfReader({ lineId, file }: { lineId: string; file: ReadFile }) {
  const [opened, setOpened] = useState<OpenPdf | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isOver = false
    let open: OpenPdf | null = null
    void (async () => {
      try {
        const { url } = await call(openFile, { id: lineId, fileId: file.id })
        open = await openPdf(url)
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
  if (failure !== null) return <ErrorState title={titleOf(failure)} onRetry={retry} />
  if (!opened) return <Skeleton height="30rem" />
  return <Pages key={tries} lineId={lineId} file={file} {...opened} onFailure={setFailure} />
}

function titleOf(failure: unknown): string {
  if (failure instanceof Error && failure.name === 'PasswordException')
    return 'This PDF asks for a password. Download it to open it.'
  if (failure instanceof Error && failure.name === 'InvalidPDFException') return 'This PDF is damaged'
  return reasonOf(failure, isRefusal) ?? 'Couldn’t open the PDF'
}

type PagesProps = { lineId: string; file: ReadFile; onFailure: (failure: unknown) => void } & OpenPdf

function Pages({ lineId, file, pdf, onFailure }: PagesProps) {
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
    // without contents the pages still turn
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
      <PdfPages pdf={pdf} title={contents[chapter]?.title ?? ''} page={page} onGo={go} onFailure={onFailure} />
    </div>
  )
}
