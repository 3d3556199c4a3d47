import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ReadFile } from '../reading.contract.ts'
import { useKeptPlace } from '../useKeptPlace.ts'
import type { Book } from './book.client.ts'
import { anchorOf, type Chapter } from './chapter.client.ts'
import { readPlace, shareOf, writePlace } from './path.rules.ts'

/** Target position in a chapter: a share of its length, or an anchor. */
type Target = { chapter: number; share: number; fragment: string }

export type ChapterProblem = 'missing' | 'damaged'

/** The open chapter and the reader's stored position. `text` is the element that shows the chapter. */
export function useChapter(lineId: string, file: ReadFile, book: Book) {
  const { lengths } = book
  const [target, setTarget] = useState<Target>(() => ({ ...readPlace(file.place, lengths.length), fragment: '' }))
  const [shown, setShown] = useState<{ target: Target; chapter: Chapter } | null>(null)
  const [problem, setProblem] = useState<ChapterProblem | null>(null)
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
  // restores the position before the browser paints the new chapter
  useLayoutEffect(() => {
    const element = text.current
    if (!shown || !element) return
    const { share, fragment } = shown.target
    const anchor = fragment && document.getElementById(anchorOf(fragment))
    const box = element.getBoundingClientRect()
    if (anchor) anchor.scrollIntoView()
    else if (share > 0) scrollTo(0, scrollY + box.top + share * box.height - innerHeight / 2)
    else if (box.top < 0) element.scrollIntoView()
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

  return { target, shown: shown?.chapter ?? null, problem, text, go }
}
