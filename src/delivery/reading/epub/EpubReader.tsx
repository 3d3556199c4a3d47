import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { deviceStorage } from '../../../kit/storage.client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { FaultState } from '../FaultState.tsx'
import { ReaderBar, SizeButtons } from '../ReaderBar.tsx'
import type { ReaderProps } from '../readerProps.ts'
import { readSource } from '../openFile.client.ts'
import { useKeptPlace } from '../useKeptPlace.ts'
import { type Book, openBook } from './book.client.ts'
import { anchorOf, type Chapter } from './chapter.client.ts'
import { ChapterText } from './ChapterText.tsx'
import { readPlace, shareOf, writePlace } from './path.rules.ts'

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

/** Where a chapter is to open: at a share of it, or at one of its anchors. */
type Target = { chapter: number; share: number; fragment: string }

function Chapters({ lineId, file, onDownload, book }: ReaderProps & { book: Book }) {
  const { lengths, toc, isRightToLeft } = book
  const [target, setTarget] = useState<Target>(() => ({ ...readPlace(file.place, lengths.length), fragment: '' }))
  const [shown, setShown] = useState<{ target: Target; chapter: Chapter } | null>(null)
  const [problem, setProblem] = useState<'missing' | 'damaged' | null>(null)
  const [size, setSize] = useState(readSize)
  const text = useRef<HTMLDivElement>(null)
  const kept = useKeptPlace(lineId, file.id)
  const number = target.chapter

  useEffect(() => {
    let isOver = false
    book.read(target.chapter).then(
      (chapter) => {
        if (isOver) return
        if (chapter) setShown({ target, chapter })
        else setProblem('missing')
      },
      () => !isOver && setProblem('damaged'),
    )
    return () => {
      isOver = true
    }
  }, [book, target])

  const keep = useEffectEvent(() => {
    const box = text.current?.getBoundingClientRect()
    if (!box || !shown || shown.target !== target) return
    const share = box.height <= innerHeight ? 1 : (innerHeight / 2 - box.top) / box.height
    const within = Math.min(1, Math.max(0, share))
    kept.current?.note(writePlace(number, within), shareOf(lengths, number, within))
  })
  // a new chapter starts where it was left, before the browser paints it
  useLayoutEffect(() => {
    if (!shown) return
    const { share, fragment } = shown.target
    const anchor = fragment && document.getElementById(anchorOf(fragment))
    const box = text.current!.getBoundingClientRect()
    if (anchor) anchor.scrollIntoView()
    else if (share > 0) scrollTo(0, scrollY + box.top + share * box.height - innerHeight / 2)
    else if (box.top < 0) text.current!.scrollIntoView()
  }, [shown])
  useEffect(() => {
    const settle = () => keep()
    addEventListener('scroll', settle, { passive: true })
    return () => removeEventListener('scroll', settle)
  }, [])

  const go = (chapter: number, fragment = '') => {
    setProblem(null)
    setTarget({ chapter, share: 0, fragment })
    kept.current?.note(writePlace(chapter, 0), shareOf(lengths, chapter, 0))
  }
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
      {toc.length > 0 && (
        <nav aria-label="Contents">
          <ol className="toc">
            {toc.map((entry, i) => (
              <li key={i}>
                <button
                  type="button"
                  aria-current={i === current ? 'location' : undefined}
                  onClick={() => go(entry.chapter, entry.fragment)}
                >
                  {entry.title}
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <article className="reader__page" aria-label={toc[current]?.title ?? `Chapter ${number + 1}`}>
        <div className="reader__bar">
          <p className="small muted">{toc[current]?.title ?? ''}</p>
          <SizeButtons size={size} least={MIN} most={MAX} step={STEP} what="text" onChange={resize} />
        </div>
        {problem ? (
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
        ) : shown ? (
          <div
            ref={text}
            className="reader__text"
            lang={shown.chapter.language || undefined}
            dir={shown.chapter.dir}
            style={{ '--read': size }}
          >
            <ChapterText
              parts={shown.chapter.parts}
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
