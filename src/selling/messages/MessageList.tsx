import './messages.css'
import { useEffect, useRef } from 'react'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import type { Message, Side } from './messages.contract.ts'
import { hasWebAddress } from './messages.rules.ts'

type MessageListProps = {
  messages: Message[]
  /** The side whose messages are on the right. */
  reader: Side
  names: Record<Side, string>
}

/** The messages of a thread, the newest in view. */
export function MessageList({ messages, reader, names }: MessageListProps) {
  const list = useRef<HTMLOListElement>(null)
  const newest = messages.at(-1)?.id
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [newest])
  return (
    // a scrolling region must be reachable by keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ol ref={list} className="letters" tabIndex={0} aria-label="Messages">
      {messages.map(({ id, author, text, title, at }) => (
        <li key={id} className={`letter ${author === reader ? 'letter--mine' : ''}`}>
          <span className="pre-line">{text}</span>
          {author !== reader && hasWebAddress(text) && (
            <small>We never ask for a password or a card in a message.</small>
          )}
          <small>
            {isolateRtl(names[author])} · {isolateRtl(title)} · <time dateTime={at}>{formatMoment(at)}</time>
          </small>
        </li>
      ))}
    </ol>
  )
}
