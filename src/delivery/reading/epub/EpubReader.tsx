import { useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Store, useStore } from '../../../kit/store.client.ts'
import { plural } from '../../../localisation/plural.rules.ts'
import { Button } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { useIsWide } from '../../../ui/useMatches.ts'
import { FaultState } from '../FaultState.tsx'
import { readerLook } from '../look/look.client.ts'
import { LookButton } from '../look/LookButton.tsx'
import { readSource } from '../openFile.client.ts'
import { ReaderBar } from '../ReaderBar.tsx'
import { ContentsButton, type ContentsProps, ReaderContents } from '../ReaderContents.tsx'
import type { ReaderProps } from '../readerProps.ts'
import { stepTo, zoneOf } from '../turning/gesture.rules.ts'
import { useTurning } from '../turning/useTurning.ts'
import { type Book, openBook } from './book.client.ts'
import { ChapterText } from './ChapterText.tsx'
import { shareOf } from './path.rules.ts'
import { type ChapterProblem, useChapter } from './useChapter.ts'
import type { Position } from './usePages.ts'

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

function Chapters({ lineId, file, book, tools, others, onBars, onDownload }: ReaderProps & { book: Book }) {
  const { lengths, toc } = book
  const look = useStore(readerLook)
  const { target, shown, problem, text, position, go, turn } = useChapter(lineId, file, book, look)
  const surface = useRef<HTMLElement>(null)
  const isWide = useIsWide()
  const number = target.chapter
  const isRightToLeft = book.isRightToLeft || shown?.dir === 'rtl'
  const current = toc.findLastIndex(
    (entry) =>
      entry.chapter <= number &&
      (entry.chapter < number || entry.fragment === '' || entry.fragment === target.fragment),
  )
  const chapters = {
    ...{ word: 'Chapter', number: number + 1, count: lengths.length, isRightToLeft: book.isRightToLeft },
  }
  const contents: ContentsProps = {
    entries: toc,
    current,
    onGo: (index) => {
      const entry = toc[index]
      if (entry) go(entry.chapter, entry.fragment)
    },
  }
  const follow = useCallback(
    ({ path, fragment }: { path: string; fragment: string }) => {
      const chapter = book.chapterAt(path)
      if (chapter >= 0) go(chapter, fragment)
    },
    [book, go],
  )
  // on wide screens the chapter scrolls, so it has no pages to turn
  useTurning(surface, {
    ...{ isRightToLeft, hasPageKeys: !isWide },
    onTurn: (step, by) => {
      if (isWide) return
      turn(step)
      if (by === 'swipe') onBars('hide')
    },
    onTap: ({ x }) => {
      const zone = zoneOf(x, innerWidth)
      if (isWide) return
      if (zone === 'middle') return onBars('toggle')
      turn(stepTo(zone, isRightToLeft))
      onBars('hide')
    },
  })
  return (
    <div className={`reader ${toc.length > 0 ? 'reader--contents' : ''}`}>
      {isWide && toc.length > 0 && <ReaderContents {...contents} />}
      <article
        ref={surface}
        className="reader__page"
        data-paper={look.paper ?? undefined}
        aria-label={toc[current]?.title ?? `Chapter ${number + 1}`}
      >
        <p className="reader__where small muted">{toc[current]?.title ?? ''}</p>
        {problem ? (
          <ChapterFault problem={problem} onDownload={onDownload} />
        ) : shown ? (
          <div
            ref={text}
            className={`reader__text reader__text--${look.font} reader__text--${look.margin}`}
            lang={shown.language || undefined}
            dir={shown.dir}
            style={{ '--read': look.size }}
          >
            <ChapterText parts={shown.parts} onFollow={follow} />
          </div>
        ) : (
          <Skeleton height="24rem" />
        )}
        <Folio position={position} shareOfBook={(progress) => shareOf(lengths, number, progress)} />
        {isWide ? (
          <ReaderBar {...chapters} onTurn={(step) => go(number + step)} />
        ) : (
          <PageBar {...chapters} position={position} hasText={!problem} onTurn={turn}>
            <ContentsButton {...contents} others={others} />
          </PageBar>
        )}
      </article>
      {tools && createPortal(<LookButton hasText />, tools)}
    </div>
  )
}

type FolioProps = { position: Store<Position>; shareOfBook: (progress: number) => number }

function Folio({ position: { watch, read }, shareOfBook }: FolioProps) {
  const text = useStore({
    watch,
    read: () => `${Math.round(shareOfBook(read().progress) * 100)} %${describeLeft(read().pagesLeft)}`,
  })
  return (
    <p className="reader__folio small muted num" aria-hidden>
      {text}
    </p>
  )
}

type PageBarProps = Parameters<typeof ReaderBar>[0] & { position: Store<Position>; hasText: boolean }

/** Turns pages. At the end of a chapter, opens the next one. */
function PageBar({ position: { watch, read }, hasText, ...bar }: PageBarProps) {
  const { number, count } = bar
  const isAtStart = useStore({ watch, read: () => read().page === 0 }) || !hasText
  const isAtEnd = useStore({ watch, read: () => read().pagesLeft === 0 }) || !hasText
  return <ReaderBar {...bar} turned="Page" isFirst={number <= 1 && isAtStart} isLast={number >= count && isAtEnd} />
}

const describeLeft = (pages: number | null): string => (pages ? ` · ${plural(pages, 'page')} left in this chapter` : '')

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

/** Shows the chapters of a sample one below the other. Links within the book are text, because it is incomplete. */
export function SampleBook({ url, onDownload }: { url: string; onDownload: () => void }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  const [isDamaged, setDamaged] = useState(false)
  const newest = useRef<HTMLElement>(null)
  const count = opened?.chapters.length ?? 0
  // moves the focus from the button to the added chapter
  useEffect(() => {
    if (count > 1) newest.current?.focus()
  }, [count])
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
  const { book, chapters } = opened
  const next = async () => {
    setDamaged(false)
    try {
      setOpened(await readOn(opened))
    } catch {
      setDamaged(true)
    }
  }
  return (
    <>
      {chapters.map(({ path, language, dir, parts }, i) => (
        <article
          key={path}
          ref={i === chapters.length - 1 ? newest : undefined}
          tabIndex={-1}
          className="reader__text"
          lang={language || undefined}
          dir={dir}
          aria-label={book.toc.find(({ chapter }) => chapter === i)?.title ?? `Chapter ${i + 1}`}
        >
          <ChapterText parts={parts} />
        </article>
      ))}
      {isDamaged && <p role="alert">We couldn’t open the next chapter. Please try again.</p>}
      {chapters.length < book.lengths.length && (
        <Button className="self-start" onClick={() => void next()}>
          Next chapter
        </Button>
      )}
    </>
  )
}
