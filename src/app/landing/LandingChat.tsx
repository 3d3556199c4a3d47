import { MessageSquareText, X } from 'lucide-react'
import { BotIcon, SendIcon } from '../../support/chat/BotIcon.tsx'

/** The chat of a visitor. inline/landing.js animates it by its data attributes. */
export function LandingChat() {
  return (
    <>
      <button type="button" className="chat-button" data-chat aria-label="%CHAT_NAME%" aria-expanded={false}>
        <MessageSquareText className="icon" aria-hidden />
      </button>
      <section className="chat" data-panel role="dialog" aria-labelledby="chat-title" hidden>
        <div className="chat__head">
          <span className="msg__who">
            <BotIcon />
          </span>
          <div className="grow">
            <h2 id="chat-title">%CHAT_NAME%</h2>
            <p data-status role="status">
              <span className="pulse pulse--off" hidden />
            </p>
          </div>
          <button type="button" className="icon-btn" data-close aria-label="Close chat">
            <X className="icon" aria-hidden />
          </button>
        </div>
        <div className="chat__log">
          <p className="chat__intro">%CHAT_INTRO%</p>
        </div>
        <form className="chat__form" data-form>
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
        <div className="toast" data-note hidden>
          <div>
            <p className="toast__title">Please sign in</p>
            <p className="toast__description">You need to be signed in to use the chat.</p>
          </div>
          <a className="btn btn--soft" href="/api/login">
            Sign in
          </a>
        </div>
      </div>
    </>
  )
}
