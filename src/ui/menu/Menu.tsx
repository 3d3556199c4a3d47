import './menu.css'
import { Ellipsis } from 'lucide-react'
import { type ReactNode, type ToggleEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '../IconButton.tsx'

export type MenuItem = {
  label: string
  icon: ReactNode
  onChoose: () => void
  /** Runs when a pointer comes near, to preload. */
  onNear?: (() => void) | undefined
}

/** Secondary actions behind a button with three dots. The browser closes the list on Escape or a press elsewhere. */
export function Menu({ label, items }: { label: string; items: MenuItem[] }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    const openedAt = topOf(button.current)
    // a scroll that moves the button leaves the list behind. The scroll that brought the button into view ends after the press
    const close = () => {
      if (topOf(button.current) !== openedAt) list.current?.hidePopover()
    }
    // Escape closes only the menu, not the dialog around it, whose listener is at the document
    const keepDialog = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.stopPropagation()
    }
    addEventListener('scroll', close, { passive: true, capture: true })
    addEventListener('keydown', keepDialog, { capture: true })
    return () => {
      removeEventListener('scroll', close, { capture: true })
      removeEventListener('keydown', keepDialog, { capture: true })
    }
  }, [isOpen])
  const prepare = ({ newState }: ToggleEvent) => {
    if (newState !== 'open' || !button.current || !list.current) return
    place(list.current, button.current)
    // at once, so that it opens with its items
    flushSync(() => setOpen(true))
  }
  const settle = ({ newState }: ToggleEvent) => {
    if (newState === 'open') list.current?.querySelector('button')?.focus({ preventScroll: true })
    // not earlier: the browser moves the focus from an item back to the button
    else setOpen(false)
  }
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={<Ellipsis className="icon" aria-hidden />}
        popoverTarget={id}
        aria-expanded={isOpen}
      />
      <div
        ref={list}
        id={id}
        popover="auto"
        className="menu"
        role="group"
        aria-label={label}
        onBeforeToggle={prepare}
        onToggle={settle}
      >
        {isOpen &&
          items.map((item) => (
            <button
              key={item.label}
              type="button"
              className="menu__item"
              onPointerEnter={item.onNear}
              onClick={() => {
                list.current?.hidePopover()
                item.onChoose()
              }}
            >
              {item.icon}
              {item.label}
            </button>
          ))}
      </div>
    </>
  )
}

const topOf = (element: HTMLElement | null) => element?.getBoundingClientRect().top

const GAP = 4

/** Below the button, or above it in the lower half of the screen. */
function place({ style }: HTMLElement, button: HTMLElement) {
  const { top, bottom, right } = button.getBoundingClientRect()
  const isAbove = bottom > innerHeight / 2
  style.right = `${Math.max(GAP, document.documentElement.clientWidth - right)}px`
  style.top = isAbove ? 'auto' : `${bottom + GAP}px`
  style.bottom = isAbove ? `${innerHeight - top + GAP}px` : 'auto'
  style.maxHeight = `${(isAbove ? top : innerHeight - bottom) - 2 * GAP}px`
}
