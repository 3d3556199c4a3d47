import { MessageSquareText, X } from 'lucide-react'
import { useState } from 'react'
import { BotIcon, SendIcon } from '../../assistant/chat/BotIcon.tsx'
import { getChatStatus } from '../../assistant/chat/chat.contract.ts'
import { isBlank } from '../../assistant/chat/chat.rules.ts'
import { call } from '../../kit/call.client.ts'
import type { Reply } from '../../kit/contract.ts'

/** The chat of a visitor. In the static page inline/landing.js replaces these handlers, by the data attributes. */
export function LandingChat({ signIn }: { signIn: string }) {
  const [isOpen, setOpen] = useState(false)
  const [isTold, setTold] = useState(false)
  const [status, setStatus] = useState<Reply<typeof getChatStatus>>()
  return (
    <>
      <button
        type="button"
        className="chat-button"
        data-chat
        aria-label="AI Assistant"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen)
          call(getChatStatus, {}).then(setStatus, () => undefined)
        }}
      >
        <MessageSquareText className="icon" aria-hidden />
      </button>
      <section className="chat" data-panel role="dialog" aria-labelledby="chat-title" hidden={!isOpen}>
        <div className="chat__head">
          <span className="msg__who">
            <BotIcon />
          </span>
          <div className="grow">
            <h2 id="chat-title">AI Assistant</h2>
            <p data-status role="status">
              <span className={`pulse ${status?.isOnline ? '' : 'pulse--off'}`} hidden={!status} />
              {status?.text}
            </p>
          </div>
          <button type="button" className="icon-btn" data-close aria-label="Close chat" onClick={() => setOpen(false)}>
            <X className="icon" aria-hidden />
          </button>
        </div>
        <div className="chat__log">
          <p className="chat__intro">
            Sign in to ask about an order, a code, or a product. The assistant suggests help articles, and a person
            reads and answers.
          </p>
        </div>
        <form
          className="chat__form"
          data-form
          onSubmit={(event) => {
            event.preventDefault()
            setTold(!isBlank(event.currentTarget.message.value as string))
          }}
        >
          <input
            name="message"
            className="input"
            placeholder="Type your message..."
            aria-label="Message"
            autoComplete="off"
          />
          <button type="submit" className="icon-btn" aria-label="Send">
            <SendIcon />
          </button>
        </form>
      </section>
      <div className="toasts" role="status">
        <div className="toast" data-note hidden={!isTold}>
          <div>
            <p className="toast__title">Please sign in</p>
            <p className="toast__description">You need to be signed in to use the chat.</p>
          </div>
          <a className="btn btn--soft" href={signIn}>
            Sign in
          </a>
        </div>
      </div>
    </>
  )
}
