import { deviceStorage } from '../../kit/storage.client.ts'

/** Where the device keeps the messages of a member that are not sent yet. */
export const outboxOf = (userId: string) => `chat-outbox:${userId}`

let start = () => {}

/** Sends what waits, now and at each new connection, also over a closed chat. Loads the script for it only then. Returns how to stop it. */
export function followOutbox(userId: string): () => void {
  const ending = new AbortController()
  const { signal } = ending
  start = () => {
    if (deviceStorage.read(outboxOf(userId)) === null) return
    // without a connection the script may not load either
    void import('./outbox.client.ts').then(({ sendQueued }) => sendQueued(userId, signal)).catch(() => undefined)
  }
  start()
  addEventListener('online', () => start(), { signal })
  return () => ending.abort()
}

export const sendSoon = () => start()
