import { MessageSquareText, X } from 'lucide-react'
import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { toastFailure } from '../ui/toast.client.ts'
import { isChatOpen, showChat, watchChat } from './chatDoor.client.ts'
import { useStepAside } from './useStepAside.ts'

const loadPanel = () => import('./ChatPanel.tsx')

/** The round button that opens the chat. The panel's script comes when a pointer is near, or at the first press. */
export function ChatButton() {
  const isOpen = useSyncExternalStore(watchChat, isChatOpen)
  const [{ ChatPanel }, setLoaded] = useState<{ ChatPanel?: ComponentType<{ onClose: () => void }> }>({})
  const button = useRef<HTMLButtonElement>(null)
  const end = useRef<HTMLDivElement>(null)
  useStepAside(button, end)
  useEffect(() => {
    if (!isOpen || ChatPanel) return
    loadPanel().then(setLoaded, (error: unknown) => {
      showChat(false)
      toastFailure(error, 'We couldn’t open the chat. Please try again.')
    })
  }, [isOpen, ChatPanel])
  const close = () => {
    showChat(false)
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
        onPointerEnter={() => void loadPanel().catch(() => undefined)}
        onClick={() => showChat(!isOpen)}
      >
        <Icon className="icon" aria-hidden />
      </button>
      {isOpen && ChatPanel && <ChatPanel onClose={close} />}
    </>
  )
}
