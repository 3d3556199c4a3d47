import { type ReactNode, useEffect, useRef, useState } from 'react'
import { tooltipDelay } from './tooltip.rules.ts'

let lastClosedAt = -Infinity

/**
 * A word about a control that shows no words, for pointers and keyboards. The control must have the same name as its
 * label: this is for the eye only. Escape closes it, and the pointer may rest on it.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
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
  useEffect(() => {
    if (!isOpen) return
    const escape = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    document.addEventListener('keydown', escape)
    return () => document.removeEventListener('keydown', escape)
  }, [isOpen])
  return (
    <span
      className="tip"
      onPointerEnter={(event) => event.pointerType === 'mouse' && open(tooltipDelay(lastClosedAt, performance.now()))}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={(event) => event.target.matches(':focus-visible') && open(0)}
      onBlur={close}
    >
      {children}
      {isOpen && (
        <span className="tip__text" aria-hidden>
          {text}
        </span>
      )}
    </span>
  )
}
