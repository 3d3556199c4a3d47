import { useEffect, useState } from 'react'
import { deviceStorage } from '../../../kit/storage.client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { FaultState } from '../FaultState.tsx'
import { ReaderBar, SizeButtons } from '../ReaderBar.tsx'
import type { ReaderProps } from '../readerProps.ts'
import { readSource } from '../openFile.client.ts'
import { type Book, openBook } from './book.client.ts'
import { ChapterText } from './ChapterText.tsx'
import { type ChapterProblem, useChapter } from './useChapter.ts'

export function EpubReader(props: ReaderProps) {
  const { lineId, file, onDownload } = props
  const [book, setBook] = useState<Book | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isOver = false
    let open: Book | null = null
    void (async () => {
      try {
        open = await openBook(await readSource(lineId, file.id))
        if (isOver) open.close()
        else setBook(open)
      } catch (error) {
        if (!isOver) setFailure(error)
      }
    })()
    return () => {
      isOver = true
      open?.close()
    }
  }, [lineId, file.id, tries])
  if (failure !== null)
    return (
      <FaultState
        failure={failure}
        title="Couldn’t open the book"
        onRetry={() => {
          setFailure(null)
          setTries(tries + 1)
        }}
        onDownload={onDownload}
      />
    )
  if (!book) return <Skeleton height="30rem" />
  return <Chapters {...props} book={book} />
}

const SIZE_KEY = 'read-size'
const [MIN, MAX, STEP] = [0.875, 1.75, 0.125]
function readSize(): number {
  const size = Number(deviceStorage.read(SIZE_KEY) ?? 1)
  return size >= MIN && size <= MAX ? size : 1
}

function Chapters({ lineId, file, onDownload, book }: ReaderProps & { book: Book }) {
  const { lengths, toc, isRightToLeft } = book
  const { target, shown, problem, text, go } = useChapter(lineId, file, book)
  const [size, setSize] = useState(readSize)
  const number = target.chapter
  const resize = (next: number) => {
    setSize(next)
    deviceStorage.write(SIZE_KEY, String(next))
  }
  const current = toc.findLastIndex(
    (entry) =>
      entry.chapter <= number &&
      (entry.chapter < number || entry.fragment === '' || entry.fragment === target.fragment),
  )
  return (
    <div className={`reader ${toc.length > 0 ? 'reader--contents' : ''}`}>
      {toc.length > 0 && <Contents toc={toc} current={current} onGo={go} />}
      <article className="reader__page" aria-label={toc[current]?.title ?? `Chapter ${number + 1}`}>
        <div className="reader__bar">
          <p className="small muted">{toc[current]?.title ?? ''}</p>
          <SizeButtons size={size} least={MIN} most={MAX} step={STEP} what="text" onChange={resize} />
        </div>
        {problem ? (
          <ChapterFault problem={problem} onDownload={onDownload} />
        ) : shown ? (
          <div
            ref={text}
            className="reader__text"
            lang={shown.language || undefined}
            dir={shown.dir}
            style={{ '--read': size }}
          >
            <ChapterText
              parts={shown.parts}
              onFollow={({ path, fragment }) => {
                const chapter = book.chapterAt(path)
                if (chapter >= 0) go(chapter, fragment)
              }}
            />
          </div>
        ) : (
          <Skeleton height="24rem" />
        )}
        <ReaderBar
          word="Chapter"
          number={number + 1}
          count={lengths.length}
          isRightToLeft={isRightToLeft}
          onGo={(next) => go(next - 1)}
        />
      </article>
    </div>
  )
}

type ContentsProps = { toc: Book['toc']; current: number; onGo: (chapter: number, fragment: string) => void }

const Contents = ({ toc, current, onGo }: ContentsProps) => (
  <nav aria-label="Contents">
    <ol className="toc">
      {toc.map((entry, i) => (
        <li key={i}>
          <button
            type="button"
            aria-current={i === current ? 'location' : undefined}
            onClick={() => onGo(entry.chapter, entry.fragment)}
          >
            {entry.title}
          </button>
        </li>
      ))}
    </ol>
  </nav>
)

type ChapterFaultProps = { problem: ChapterProblem; onDownload: ReaderProps['onDownload'] }

const ChapterFault = ({ problem, onDownload }: ChapterFaultProps) => (
  <div role="alert" className="stack gap-2">
    <p>
      {problem === 'missing'
        ? 'The file lacks this chapter. Go on with the next one, or ask the seller.'
        : 'This chapter is damaged. Go on with the next one, or try another program.'}
    </p>
    <Button tone="quiet" className="self-start" onClick={onDownload}>
      Download the book
    </Button>
  </div>
)

type Opened = { book: Book; chapters: NonNullable<Awaited<ReturnType<Book['read']>>>[] }

async function openSample(url: string): Promise<Opened> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`the server returned ${answer.status} for the sample`)
  return readOn({ book: await openBook(await answer.blob()), chapters: [] })
}

async function readOn({ book, chapters }: Opened): Promise<Opened> {
  const next = await book.read(chapters.length)
  if (!next) throw new Error('the sample lacks a chapter')
  return { book, chapters: [...chapters, next] }
}

/** Shows the chapters of a sample one below the other. Links within the book do nothing, because it is incomplete. */
export function SampleBook({ url, onDownload }: { url: string; onDownload: () => void }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let close = () => {}
    let isOver = false
    openSample(url).then(
      (first) => {
        close = first.book.close
        if (isOver) close()
        else setOpened(first)
      },
      (error: unknown) => !isOver && setFailure(error),
    )
    return () => {
      isOver = true
      close()
    }
  }, [url, tries])
  const retry = () => {
    setFailure(null)
    setOpened(null)
    setTries(tries + 1)
  }
  if (failure !== null)
    return <FaultState failure={failure} title="Couldn’t open the sample" onRetry={retry} onDownload={onDownload} />
  if (!opened) return <Skeleton height="24rem" />
  return (
    <>
      {opened.chapters.map(({ path, language, dir, parts }) => (
        <article key={path} className="reader__text" lang={language || undefined} dir={dir} aria-label="Sample">
          <ChapterText parts={parts} onFollow={() => undefined} />
        </article>
      ))}
      {opened.chapters.length < opened.book.lengths.length && (
        <Button className="self-start" onClick={() => void readOn(opened).then(setOpened, setFailure)}>
          Next chapter
        </Button>
      )}
    </>
  )
}
