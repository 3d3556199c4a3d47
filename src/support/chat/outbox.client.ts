import { type CurrentUser, getCurrentUser } from '../../identity/identity.contract.ts'
import { call } from '../../kit/call.client.ts'
import { query, queryClient } from '../../kit/query/query.client.ts'
import { createStore } from '../../kit/store.client.ts'
import { deviceStorage } from '../../kit/storage.client.ts'
import { type ChatMessage, getChat, getChatStatus, sendChat } from './chat.contract.ts'
import { outboxOf } from './chat.rules.ts'
import { fateOf } from './outbox.rules.ts'

// Unsent messages survive a reload. One tab at a time sends them in order. Their keys make retries safe.

/** `reason`: the store refused the message. When the chat opens, it moves into the draft. */
export type Queued = { message: string; key: string; at: string; reason?: string }

const MAX = 20

const read = (userId: string): Queued[] => {
  const kept = deviceStorage.readJson(outboxOf(userId))
  return Array.isArray(kept)
    ? (kept as Queued[]).filter(({ message, key }) => typeof message === 'string' && typeof key === 'string')
    : []
}

export const outbox = createStore<Queued[]>([])

export const readOutbox = (userId: string) => outbox.set(read(userId))

function write(userId: string, queued: Queued[]): boolean {
  const isKept = deviceStorage.write(outboxOf(userId), queued.length > 0 ? JSON.stringify(queued) : null)
  readOutbox(userId)
  return isKept
}

export const hasQueued = (userId: string): boolean => read(userId).some(({ reason }) => reason === undefined)

export function enqueue(userId: string, one: Queued): boolean {
  const queued = read(userId)
  if (queued.length >= MAX || !write(userId, [...queued, one])) return false
  // A running send may have already seen an empty queue.
  if (navigator.onLine) void Promise.resolve(sending).then(() => sendQueued(userId))
  return true
}

export function takeRefused(userId: string): Queued[] {
  const queued = read(userId)
  const refused = queued.filter(({ reason }) => reason !== undefined)
  if (refused.length > 0)
    write(
      userId,
      queued.filter(({ reason }) => reason === undefined),
    )
  return refused
}

export const post = ({ message, key }: Pick<Queued, 'message' | 'key'>) =>
  call(sendChat, { message }, { headers: { 'idempotency-key': key } })

/** Adds the message to the cache. Reading the whole conversation again would cost more. */
export function showSent(sent: ChatMessage) {
  queryClient.setQueryData<ChatMessage[]>(query(getChat, {}).queryKey, (known) =>
    known && !known.some(({ id }) => id === sent.id) ? [...known, sent] : known,
  )
  void queryClient.invalidateQueries({ queryKey: query(getChatStatus, {}).queryKey })
}

let sending: Promise<void> | undefined
let wake = () => {}

/** Sends queued messages in order, in one tab at a time. A further call retries immediately. */
export function sendQueued(userId: string): Promise<void> {
  wake()
  const run = () => sendAll(userId)
  sending ??= Promise.resolve(navigator.locks ? navigator.locks.request(outboxOf(userId), run) : run()).finally(() => {
    sending = undefined
    // Another tab may have sent them.
    readOutbox(userId)
  })
  return sending
}

async function sendAll(userId: string) {
  for (;;) {
    const one = read(userId).find(({ reason }) => reason === undefined)
    // Another member may have signed in meanwhile.
    const user = queryClient.getQueryData<CurrentUser>(query(getCurrentUser, {}).queryKey)
    if (!one || user?.id !== userId) return
    // Another tab may have added messages meanwhile.
    const others = () => read(userId).filter(({ key }) => key !== one.key)
    try {
      const sent = await post(one)
      write(userId, others())
      showSent(sent)
    } catch (error) {
      const fate = fateOf(error)
      if ('reason' in fate) write(userId, [{ ...one, reason: fate.reason }, ...others()])
      else if (fate.retryAfter === null) return
      else await pause(fate.retryAfter)
    }
  }
}

const pause = (seconds: number) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, seconds * 1000)
    wake = () => {
      clearTimeout(timer)
      done()
    }
  })
