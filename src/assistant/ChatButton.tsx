import { MessageSquareText, X } from 'lucide-react'
import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { toastFailure } from '../ui/toast.client.ts'
import { isChatOpen, showChat, watchChat } from './chatDoor.client.ts'

const loadPanel = () => import('./ChatPanel.tsx')

/** The round button that opens the chat. The panel's script comes when a pointer is near, or at the first press. */
export function ChatButton() {
  const isOpen = useSyncExternalStore(watchChat, isChatOpen)
  const [{ ChatPanel }, setLoaded] = useState<{ ChatPanel?: ComponentType<{ onClose: () => void }> }>({})
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen || ChatPanel) return
    loadPanel().then(setLoaded, (error: unknown) => {
      showChat(false)
      toastFailure(error, 'The chat could not be opened. Please try again.')
    })
  }, [isOpen, ChatPanel])
  const close = () => {
    showChat(false)
    button.current?.focus()
  }
  const Icon = isOpen ? X : MessageSquareText
  return (
    <>
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
