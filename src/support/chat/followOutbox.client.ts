import { deviceStorage } from '../../kit/storage.client.ts'
import { outboxOf } from './chat.rules.ts'

/** Sends what waits, now and at each new connection, also over a closed chat. Loads the script for it only then. Returns how to stop it. */
export function followOutbox(userId: string): () => void {
  const start = () => {
    if (deviceStorage.read(outboxOf(userId)) === null) return
    // without a connection the script may not load either
    void import('./outbox.client.ts').then(({ sendQueued }) => sendQueued(userId)).catch(() => undefined)
  }
  start()
  addEventListener('online', start)
  return () => removeEventListener('online', start)
}
