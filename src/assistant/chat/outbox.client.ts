import { createStore } from '../../kit/store.client.ts'
import { deviceStorage } from '../../kit/storage.client.ts'

// Messages that were written without a connection. They survive a reload, and one tab sends them: the key of each makes a
// second attempt harmless.

export type Queued = { message: string; key: string; at: string }

const MOST = 20
const placeOf = (userId: string) => `chat-outbox:${userId}`

const read = (userId: string): Queued[] => {
  const kept = deviceStorage.readJson(placeOf(userId))
  return Array.isArray(kept)
    ? (kept as Queued[]).filter(({ message, key }) => typeof message === 'string' && typeof key === 'string')
    : []
}

export const outbox = createStore<Queued[]>([])

export const readOutbox = (userId: string) => outbox.set(read(userId))

function write(userId: string, queued: Queued[]) {
  if (queued.length > 0) deviceStorage.writeJson(placeOf(userId), queued)
  else deviceStorage.write(placeOf(userId), null)
  outbox.set(queued)
}

/** False when the queue is full. */
export function enqueue(userId: string, one: Queued): boolean {
  const queued = read(userId)
  if (queued.length >= MOST) return false
  write(userId, [...queued, one])
  return true
}

/** Sends the queued messages in order; the first failure leaves the rest. `send` rejects when the server did not accept one. */
export async function flush(userId: string, send: (one: Queued) => Promise<unknown>): Promise<number> {
  const run = async () => {
    let sent = 0
    for (let [one] = read(userId); one; [one] = read(userId)) {
      const { key } = one
      await send(one)
      sent++
      write(
        userId,
        read(userId).filter((other) => other.key !== key),
      )
    }
    // another tab may have sent them
    readOutbox(userId)
    return sent
  }
  return navigator.locks ? navigator.locks.request(placeOf(userId), run) : run()
}
