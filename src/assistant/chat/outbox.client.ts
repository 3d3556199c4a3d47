import { type CurrentUser, getCurrentUser } from '../../identity/identity.contract.ts'
import { call } from '../../kit/call.client.ts'
import { query, queryClient } from '../../kit/query/query.client.ts'
import { createStore } from '../../kit/store.client.ts'
import { deviceStorage } from '../../kit/storage.client.ts'
import { type ChatMessage, getChat, getChatStatus, sendChat } from './chat.contract.ts'
import { outboxOf } from './chat.rules.ts'
import { fateOf } from './outbox.rules.ts'

// Messages that could not be sent yet. They survive a reload, and one tab at a time sends them in order: the key of each makes a
// second attempt harmless.

/** `reason`: the store refused it. It waits for the chat to open and put it into the draft. */
export type Queued = { message: string; key: string; at: string; reason?: string }

const MOST = 20

const read = (userId: string): Queued[] => {
  const kept = deviceStorage.readJson(outboxOf(userId))
  return Array.isArray(kept)
    ? (kept as Queued[]).filter(({ message, key }) => typeof message === 'string' && typeof key === 'string')
    : []
}

export const outbox = createStore<Queued[]>([])

export const readOutbox = (userId: string) => outbox.set(read(userId))

/** False when the browser keeps nothing. */
function write(userId: string, queued: Queued[]): boolean {
  const isKept = deviceStorage.write(outboxOf(userId), queued.length > 0 ? JSON.stringify(queued) : null)
  readOutbox(userId)
  return isKept
}

/** True while a message must wait behind another. */
export const hasQueued = (userId: string): boolean => read(userId).some(({ reason }) => reason === undefined)

/** False when the message cannot be kept. */
export function enqueue(userId: string, one: Queued): boolean {
  const queued = read(userId)
  if (queued.length >= MOST || !write(userId, [...queued, one])) return false
  if (navigator.onLine && timer === undefined) void sendQueued(userId)
  return true
}

/** Takes the refused messages out of the queue. */
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

/** Reading the whole conversation again would cost more than the message. */
export function showSent(sent: ChatMessage) {
  queryClient.setQueryData<ChatMessage[]>(query(getChat, {}).queryKey, (known) =>
    known && !known.some(({ id }) => id === sent.id) ? [...known, sent] : known,
  )
  void queryClient.invalidateQueries({ queryKey: query(getChatStatus, {}).queryKey })
}

/** Runs until the next attempt. */
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends the queued messages in order until none is left, and waits as long as the store asks for. */
export async function sendQueued(userId: string) {
  clearTimeout(timer)
  timer = undefined
  const run = () => sendAll(userId)
  const wait = await (navigator.locks ? navigator.locks.request(outboxOf(userId), run) : run())
  // another tab may have sent them
  readOutbox(userId)
  if (wait === null) return
  clearTimeout(timer)
  timer = setTimeout(() => void sendQueued(userId), wait * 1000)
}

/** Answers the seconds until the next attempt; null when there is nothing to send. */
async function sendAll(userId: string): Promise<number | null> {
  for (;;) {
    const one = read(userId).find(({ reason }) => reason === undefined)
    // another member may have signed in meanwhile
    const user = queryClient.getQueryData<CurrentUser>(query(getCurrentUser, {}).queryKey)
    if (!one || user?.id !== userId) return null
    // another tab may have added some meanwhile
    const others = () => read(userId).filter(({ key }) => key !== one.key)
    try {
      const sent = await post(one)
      write(userId, others())
      showSent(sent)
    } catch (error) {
      const fate = fateOf(error)
      if (!('reason' in fate)) return fate.retryAfter
      write(userId, [{ ...one, reason: fate.reason }, ...others()])
    }
  }
}
