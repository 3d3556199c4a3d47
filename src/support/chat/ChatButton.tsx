import { MessageSquareText, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { htmlData } from '../../kit/drawn.client.ts'
import { useStore } from '../../kit/store.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { lazy } from '../../ui/lazy.client.ts'
import { chatHasReply, chatIsOpen } from '../../assistant/chatState.client.ts'

const panel = lazy(() => import('./ChatPanel.tsx'), 'ChatPanel')

export function ChatButton() {
  const isOpen = useStore(chatIsOpen)
  const hasReply = useStore(chatHasReply) && !isOpen
  const { value: ChatPanel, failure } = panel.useLoaded(isOpen)
  const button = useRef<HTMLButtonElement>(null)
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
      <button
        ref={button}
        type="button"
        className="chat-button chat-button--in"
        aria-label={htmlData().chatName + (hasReply ? ', new reply' : '')}
        aria-expanded={isOpen}
        onPointerEnter={() => void panel.preload()}
        onClick={() => {
          chatHasReply.set(false)
          chatIsOpen.set(!isOpen)
        }}
      >
        <Icon className="icon" aria-hidden />
        {hasReply && <span className="chat-button__dot" />}
      </button>
      {isOpen && ChatPanel && <ChatPanel onClose={close} />}
    </>
  )
}
