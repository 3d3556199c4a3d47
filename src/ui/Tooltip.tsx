import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { tooltipDelay } from './tooltip.rules.ts'

let lastClosedAt = -Infinity

/** Shows the name of an icon control. Screen readers use the control's label instead. Escape closes the tooltip. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const control = useRef<HTMLSpanElement>(null)
  const open = (wait: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), wait)
  }
  const close = () => {
    clearTimeout(timer.current)
    if (isOpen) lastClosedAt = performance.now()
    setOpen(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  // a layout effect, because the user may press Escape before effects run
  useLayoutEffect(() => {
    if (!isOpen) return
    const leave = () => setOpen(false)
    const escape = (event: KeyboardEvent) => event.key === 'Escape' && leave()
    addEventListener('keydown', escape)
    addEventListener('scroll', leave, { passive: true, capture: true })
    return () => {
      removeEventListener('keydown', escape)
      removeEventListener('scroll', leave, { capture: true })
    }
  }, [isOpen])
  const placeWord = (word: HTMLSpanElement | null) => {
    if (word) placeUnder(control.current, word)
  }
  return (
    <span
      ref={control}
      className="tip"
      onPointerEnter={(event) => event.pointerType === 'mouse' && open(tooltipDelay(lastClosedAt, performance.now()))}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={(event) => event.target.matches(':focus-visible') && open(0)}
      onBlur={close}
    >
      {children}
      {isOpen &&
        // in the body, because the mask of a ticket would cut it off
        createPortal(
          <span className="tip__text" aria-hidden ref={placeWord}>
            {text}
          </span>,
          document.body,
        )}
    </span>
  )
}

function placeUnder(control: HTMLElement | null, word: HTMLElement) {
  const { left, width, bottom } = control!.getBoundingClientRect()
  const most = document.documentElement.clientWidth - word.offsetWidth - 8
  word.style.left = `${Math.max(8, Math.min(left + (width - word.offsetWidth) / 2, most))}px`
  word.style.top = `${bottom}px`
}
