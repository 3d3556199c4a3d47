import { MessageSquareText, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from '../../kit/store.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { lazy } from '../../ui/lazy.client.ts'
import { chatIsOpen } from '../chatIsOpen.client.ts'
import { useStepAside } from './useStepAside.ts'

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
