import { MessageSquareText, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { useStore } from '../../kit/store.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { lazy } from '../../ui/lazy.client.ts'
import { chatIsOpen } from '../chatIsOpen.client.ts'

const panel = lazy(() => import('./ChatPanel.tsx'), 'ChatPanel')

/** Opens the chat. Loads the script of the panel when a pointer is near, or at the first press. */
export function ChatButton() {
  const isOpen = useStore(chatIsOpen)
  const { value: ChatPanel, failure } = panel.useLoaded(isOpen)
  const button = useRef<HTMLButtonElement>(null)
  const end = useRef<HTMLDivElement>(null)
  useStepAside(button, end)
  useEffect(() => {
    if (!failure) return
    chatIsOpen.set(false)
    toastFailure(failure.error, 'We couldn’t open the chat. Please try again.')
  }, [failure])
  const close = () => {
    chatIsOpen.set(false)
    button.current?.focus()
  }
  const Icon = isOpen ? X : MessageSquareText
  return (
    <>
      <div ref={end} />
      <button
        ref={button}
        type="button"
        className="chat-button chat-button--in"
        aria-label="AI Assistant"
        aria-expanded={isOpen}
        onPointerEnter={() => void panel.preload()}
        onClick={() => chatIsOpen.set(!isOpen)}
      >
        <Icon className="icon" aria-hidden />
      </button>
      {isOpen && ChatPanel && <ChatPanel onClose={close} />}
    </>
  )
}

/** How far a finger moves before it counts as scrolling, in pixels. */
const STEP = 8

/** The distance from the end of a page at which nothing is under the button, in pixels. */
const ROOM = 20

/** Marks the button while the page scrolls down (`data-aside`) and at its end (`data-end`), without a render. */
function useStepAside(button: RefObject<HTMLElement | null>, end: RefObject<Element | null>) {
  useEffect(() => {
    let last = scrollY
    const look = () => {
      // ignores the bounce at the top of a page
      const now = Math.max(0, scrollY)
      if (Math.abs(now - last) < STEP) return
      button.current?.toggleAttribute('data-aside', now > last)
      last = now
    }
    const watch = new IntersectionObserver(
      (seen) => button.current?.toggleAttribute('data-end', seen.at(-1)!.isIntersecting),
      { rootMargin: `0px 0px ${ROOM}px` },
    )
    watch.observe(end.current!)
    addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      removeEventListener('scroll', look)
    }
  }, [button, end])
}
