import { deviceStorage } from '../../kit/storage.client.ts'
import { outboxOf } from './chat.rules.ts'

/** Sends queued messages now and at each reconnection, even if the chat is closed. Loads the script only if needed. */
export function followOutbox(userId: string): () => void {
  const start = () => {
    if (deviceStorage.read(outboxOf(userId)) === null) return
    // Without a connection, the script may fail to load too.
    void import('./outbox.client.ts').then(({ sendQueued }) => sendQueued(userId)).catch(() => undefined)
  }
  start()
  addEventListener('online', start)
  return () => removeEventListener('online', start)
}
