import '../reading/reader.css'
import { useEffect, useState } from 'react'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { type Book, openBook } from '../reading/epub/book.client.ts'
import type { Chapter } from '../reading/epub/chapter.client.ts'
import { ChapterText } from '../reading/epub/ChapterText.tsx'
import { FaultState } from '../reading/FaultState.tsx'

async function fetchBook(url: string): Promise<Book> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`the server returned ${answer.status} for the sample`)
  return openBook(await answer.blob())
}

/** Shows the chapters of a sample one below the other. Links within the book do nothing, because it is incomplete. */
export function SampleBook({ url }: { url: string }) {
  const [book, setBook] = useState<Book | null>(null)
  const [chapters, setChapters] = useState<Chapter[]>([])
  const [failure, setFailure] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isOver = false
    let open: Book | null = null
    void (async () => {
      try {
        open = await fetchBook(url)
        const first = isOver ? null : await open.read(0)
        if (isOver) return open.close()
        setBook(open)
        setChapters(first ? [first] : [])
      } catch (error) {
        if (!isOver) setFailure(error)
      }
    })()
    return () => {
      isOver = true
      open?.close()
    }
  }, [url, tries])
  if (failure !== null)
    return (
      <FaultState
        failure={failure}
        title="Couldn’t open the sample"
        onRetry={() => {
          setFailure(null)
          setBook(null)
          setTries(tries + 1)
        }}
        onDownload={() => startDownload(url)}
      />
    )
  if (!book) return <Skeleton height="24rem" />
  const readOn = () =>
    book.read(chapters.length).then(
      (next) => (next ? setChapters([...chapters, next]) : setFailure(new Error('the sample lacks a chapter'))),
      (error: unknown) => setFailure(error),
    )
  return (
    <>
      {chapters.map(({ path, language, dir, parts }) => (
        <article key={path} className="reader__text" lang={language || undefined} dir={dir} aria-label="Sample">
          <ChapterText parts={parts} onFollow={() => undefined} />
        </article>
      ))}
      {chapters.length < book.lengths.length && (
        <Button className="self-start" onClick={() => void readOn()}>
          Next chapter
        </Button>
      )}
    </>
  )
}
