import { useCallback, useEffect, useRef, useState } from 'react'
import type { Look } from '../look/look.rules.ts'
import type { ReadFile } from '../reading.contract.ts'
import type { Step } from '../turning/gesture.rules.ts'
import { useKeptPlace } from '../useKeptPlace.ts'
import type { Book } from './book.client.ts'
import type { Chapter } from './chapter.client.ts'
import { readPlace, shareOf, writePlace } from './path.rules.ts'
import { usePages } from './usePages.ts'

/** Target position in a chapter: a share of its length, or an anchor. */
type Target = { chapter: number; share: number; fragment: string }

export type ChapterProblem = 'missing' | 'damaged'

/** The open chapter and the reader's stored position. `text` is the element that shows the chapter. */
export function useChapter(lineId: string, file: ReadFile, book: Book, look: Look) {
  const { lengths } = book
  const [target, setTarget] = useState<Target>(() => ({ ...readPlace(file.place, lengths.length), fragment: '' }))
  const [shown, setShown] = useState<{ target: Target; chapter: Chapter } | null>(null)
  const [problem, setProblem] = useState<ChapterProblem | null>(null)
  const text = useRef<HTMLDivElement>(null)
  const kept = useKeptPlace(lineId, file.id)
  const hasMoved = useRef(false)
  const number = target.chapter
  const isHere = shown?.target === target

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

  const pages = usePages(text, {
    start: isHere ? target : null,
    look,
    onMove({ share, progress, isByReader }) {
      hasMoved.current ||= isByReader
      if (hasMoved.current) kept.current?.note(writePlace(number, share), shareOf(lengths, number, progress))
    },
  })
  const go = useCallback(
    (chapter: number, fragment = '', share = 0) => {
      hasMoved.current = true
      setProblem(null)
      setTarget({ chapter, share, fragment })
      kept.current?.note(writePlace(chapter, share), shareOf(lengths, chapter, share))
    },
    [kept, lengths],
  )
  /** Turns a page. At the end of a chapter, opens the next one. */
  const turn = (step: Step) => {
    if ((!isHere && !problem) || pages.turn(step)) return
    const chapter = number + step
    if (chapter >= 0 && chapter < lengths.length) go(chapter, '', step < 0 ? 1 : 0)
  }

  return { target, shown: shown?.chapter ?? null, problem, text, position: pages.position, go, turn }
}
