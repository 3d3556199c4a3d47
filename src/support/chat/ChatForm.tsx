import { Square } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { createStore } from '../../kit/store.client.ts'
import { SendIcon } from './BotIcon.tsx'
import { charactersLeft, isBlank, tooLong } from './chat.rules.ts'

export type Draft = { message: string; key: string }

// Drafts outlive the panel, so that closing it or a failed request loses no text.
const drafts = new Map<string, Draft>()
// A changed text is a new message and needs a new idempotency key.
const draftOf = (message = ''): Draft => ({ message, key: crypto.randomUUID() })

/** The number of texts that returned to a draft. Used as the key of the form, so that it shows them. */
export const returned = createStore(0)

export function returnToDraft(place: string, text: string) {
  const rest = drafts.get(place)?.message ?? ''
  drafts.set(place, draftOf(isBlank(rest) ? text : `${text}\n${rest}`))
  returned.set(returned.read() + 1)
}

type ChatFormProps = {
  place: string
  label: string
  onSend: (draft: Draft) => Promise<unknown>
  input?: RefObject<HTMLTextAreaElement | null>
  onTyping?: (() => void) | undefined
  /** Replaces Send while the assistant writes and the field is empty. */
  onStop?: (() => void) | undefined
  /** The initial text instead of the draft, such as a canned reply. Change the form's key with it. */
  text?: string | undefined
}

export function ChatForm({ place, label, onSend, input, onTyping, onStop, text }: ChatFormProps) {
  const own = useRef<HTMLTextAreaElement>(null)
  const field = input ?? own
  const note = useId()
  const [draft, setDraft] = useState(() => (text === undefined ? (drafts.get(place) ?? draftOf()) : draftOf(text)))
  const [isPending, setPending] = useState(false)
  const left = charactersLeft(draft.message)
  const isRefused = tooLong(draft.message) !== null
  const cannotSend = isPending || isRefused || isBlank(draft.message)

  const change = (next: Draft) => {
    drafts.set(place, next)
    setDraft(next)
  }
  useEffect(() => {
    if (text !== undefined) field.current?.focus()
  }, [field, text])
  const send = async () => {
    if (cannotSend) return
    setPending(true)
    try {
      await onSend(draft)
      change(draftOf())
    } catch {
      // A notification reports the failure. The text stays in the field.
    } finally {
      setPending(false)
      field.current?.focus()
    }
  }
  const press = (event: KeyboardEvent) => {
    // During composition, Enter confirms a word of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form
      className="chat__form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={field}
        className="input"
        rows={1}
        placeholder="Type your message..."
        aria-label={label}
        aria-invalid={isRefused || undefined}
        aria-describedby={left ? note : undefined}
        enterKeyHint="send"
        value={draft.message}
        readOnly={isPending}
        onChange={({ target: { value } }) => {
          change(draftOf(value))
          if (!isBlank(value)) onTyping?.()
        }}
        onKeyDown={press}
      />
      {onStop && isBlank(draft.message) ? (
        <button type="button" className="icon-btn" aria-label="Stop the answer" onClick={onStop}>
          <Square className="icon" aria-hidden />
        </button>
      ) : (
        <button type="submit" className="icon-btn" aria-label="Send" disabled={cannotSend}>
          {isPending ? <span className="spinner" aria-hidden /> : <SendIcon />}
        </button>
      )}
      {left && (
        <p id={note} className={isRefused ? 'field__error' : 'field__hint'} role="status">
          {left}
        </p>
      )}
    </form>
  )
}
