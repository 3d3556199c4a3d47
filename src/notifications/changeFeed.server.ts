import { randomInt } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Bus } from '../kit/bus.server.ts'
import { isAllowed } from '../kit/contract.ts'
import { Failure } from '../kit/failure.ts'
import { handleRaw, type User } from '../kit/handle.server.ts'
import { CHANGE_FEED_LINE, type Topic, TOPICS } from './changeFeed.contract.ts'
import { firstOf } from '../kit/values/required.ts'

// Each open page has one connection and receives the topics to refetch. Pages also poll, so a lost event costs only time.

const BEAT_MS = 15_000
/** Interval of session checks. A session that is ended closes its connections at once; this one finds expired sessions. */
const CHECK_MS = 600_000
const SOON_MS = 3_000
const LATER_MS = 60_000
/** A page connects seconds after it has read its data. On connection, the feed repeats the changes of this period. */
const REPEAT_MS = 15_000
const MAX_OF_ONE = 6
const MAX = 2_000
const MAX_RECENT = 10_000
const MAX_WAITING_BYTES = 16 * 1024

type Reader = {
  user: User
  cookie: string | undefined
  sessionKey: string | null
  checkedAt: number
  stream: Readable
}

type Sessions = {
  identify: (cookie: string | undefined) => Promise<User | null>
  sessionKeyOf: (cookie: string | undefined) => string | null
}

function createRecentChanges() {
  const changes: { at: number; whose: string; topic: Topic }[] = []
  return {
    add(whose: string, topic: Topic) {
      const at = performance.now()
      changes.push({ at, whose, topic })
      while (changes.length > MAX_RECENT || firstOf(changes).at <= at - REPEAT_MS) changes.shift()
    },
    topicsOf(isWanted: (whose: string) => boolean): Set<Topic> {
      const since = performance.now() - REPEAT_MS
      return new Set(changes.filter(({ at, whose }) => at > since && isWanted(whose)).map(({ topic }) => topic))
    },
  }
}

const isFor = ({ id, role }: User, whose: string) => (whose === '*' ? isAllowed('support', role) : id === whose)

function write({ stream }: Reader, text: string) {
  // A client that does not read is disconnected; it reconnects later.
  if (stream.readableLength > MAX_WAITING_BYTES) stream.destroy()
  else stream.push(text)
}

const notify = (reader: Reader, topic: Topic) => write(reader, `data: ${topic}\n\n`)

export async function openChangeFeed(
  bus: Bus,
  { identify, sessionKeyOf }: Sessions,
  { beatMs = BEAT_MS, checkMs = CHECK_MS, most = MAX } = {},
) {
  const readers = new Set<Reader>()
  const recent = createRecentChanges()

  /** Ends a connection. Its page reconnects after this many milliseconds. Nothing may be written after the end. */
  function letGo(reader: Reader, retryMs: number) {
    if (!readers.delete(reader)) return
    reader.stream.push(`retry: ${retryMs}\n\n`)
    reader.stream.push(null)
  }

  function repeatRecent(reader: Reader) {
    for (const topic of recent.topicsOf((whose) => isFor(reader.user, whose))) notify(reader, topic)
  }

  await bus.listen('members', (payload) => {
    if (payload === null) {
      // Events may have been lost, so every page refetches everything.
      for (const reader of readers) for (const topic of TOPICS) notify(reader, topic)
      return
    }
    const [whose] = payload.split(' ', 1) as [string]
    const topic = payload.slice(whose.length + 1) as Topic
    if (TOPICS.includes(topic)) recent.add(whose, topic)
    for (const reader of readers) if (isFor(reader.user, whose)) notify(reader, topic)
  })

  function check(reader: Reader) {
    reader.checkedAt = performance.now()
    identify(reader.cookie).then(
      (user) => (user?.id === reader.user.id ? (reader.user = user) : letGo(reader, SOON_MS)),
      // The database is away: the session cannot be checked, so nothing is sent.
      () => (reader.checkedAt = -Infinity),
    )
  }

  await bus.listen('sessions', (key) => {
    // The same notification empties the session cache, so the next check reads the database.
    if (key === null) for (const reader of readers) reader.checkedAt = -Infinity
    else for (const reader of readers) if (reader.sessionKey === key) check(reader)
  })

  const beat = setInterval(() => {
    const old = performance.now() - checkMs
    for (const reader of readers) {
      write(reader, ': here\n\n')
      if (reader.checkedAt <= old) check(reader)
    }
  }, beatMs).unref()

  function open(user: User, cookie: string | undefined, signal: AbortSignal): Readable {
    const mine = [...readers].filter((reader) => reader.user.id === user.id)
    // The oldest connection is closed and reconnects late. Otherwise seven pages would close each other's connections all day.
    if (mine.length >= MAX_OF_ONE) letGo(firstOf(mine), LATER_MS)
    const stream = new Readable({ read: () => undefined })
    const reader = { user, cookie, sessionKey: sessionKeyOf(cookie), checkedAt: performance.now(), stream }
    readers.add(reader)
    stream.once('close', () => readers.delete(reader))
    signal.addEventListener('abort', () => stream.destroy())
    stream.push(`retry: ${SOON_MS}\n\n`)
    repeatRecent(reader)
    return stream
  }

  const route = handleRaw(
    CHANGE_FEED_LINE,
    {
      access: 'member',
      about:
        'Server-sent events: `orders`, `sales` or `chat` when data of the caller changed, `inbox` for staff; `typing` while a person types to the caller, and for staff `typing:<id>` while a customer does, `typing:<id>:<id of staff>:<first name>` while staff types to a customer, and `here:<id>:<id of staff>:<first name>` while staff has the conversation open.',
      limits: [{ per: 'account', count: 60, seconds: 60 }],
    },
    async ({ user, header, signal }) => {
      if (readers.size >= most) throw new Failure(503, 'Too many pages are open.', 'busy', { retryAfter: 30 })
      return {
        status: 200,
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'private, no-store',
          'x-accel-buffering': 'no',
        },
        body: open(user, header('cookie'), signal),
      }
    },
  )
  return {
    route,
    /** Ends all connections. The pages reconnect to another node. */
    stop: () => {
      clearInterval(beat)
      // Spreads the reconnects.
      for (const reader of readers) letGo(reader, randomInt(1_000, 2 * SOON_MS))
    },
  }
}
