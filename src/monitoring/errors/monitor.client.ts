import { createStore } from '../../kit/store.client.ts'
import { type Fault, type RenderFault, report } from '../../kit/watch/caught.client.ts'
import { watchEmptyPage } from './emptyPage.client.ts'
import {
  type ClientError,
  fixFor,
  severityOf,
  type Described,
  describeRequest,
  describeResource,
  describeSlow,
  describeThrown,
  resourceOf,
  thrownIn,
} from './errors.rules.ts'
import { handleLongTask, lighten, readBroken, redraw, repeatRead } from './fixes.client.ts'
import { ADVICE, kindOf } from './known.rules.ts'
import { discard, flush, post, sendRenderError } from './outbox.client.ts'
import { scrub } from '../../kit/log/scrub.rules.ts'
import { isWatchOn, whileOn } from '../../kit/watch/switches.client.ts'
import { dropOldest } from '../../kit/values/dropOldest.ts'

// Counts errors, tries a fix, checks it and reports both. Loads after first paint; window.caught has earlier errors.

export type ErrorCounts = { total: number; autoFixed: number }

/** Errors with the same message within this time count as one, in milliseconds. */
const SAME_MS = 10_000
const NOTED = 'The store was notified and is applying automatic fixes.'
const HELPLESS =
  'The store was notified. The page was drawn again twice, the second time with fresh data. That did not help.'

export const errorCounts = createStore<ErrorCounts>({ total: 0, autoFixed: 0 })
const lastSeen = new Map<string, number>()
const notes = new Map<string, string>()
const pending = new Set<ClientError>()

function count(kind: keyof ErrorCounts) {
  const counts = errorCounts.read()
  errorCounts.set({ ...counts, [kind]: counts[kind] + 1 })
}

function isNew({ message }: Described): boolean {
  const now = Date.now()
  const before = lastSeen.get(message)
  lastSeen.set(message, now)
  if (lastSeen.size > 200) dropOldest(lastSeen)
  return before === undefined || now - before >= SAME_MS
}

const recordOf = ({ type, message, stack }: Described): ClientError => ({
  id: crypto.randomUUID(),
  type,
  message: scrub(message),
  stack: scrub(stack),
  timestamp: Date.now(),
  severity: severityOf(message),
  autoFixed: false,
  userAgent: navigator.userAgent,
})

type Remedy = {
  path?: string | undefined
  /** True when the page's own work was slow. Light mode cannot fix a slow network. */
  isBusy?: boolean
}

async function meet(described: Described | null, { path, isBusy = false }: Remedy = {}) {
  if (!described || !isNew(described)) return
  const record = recordOf(described)
  count('total')
  pending.add(record)
  const fix = fixFor(described)
  if (fix === 'retry') record.autoFixed = await repeatRead(path)
  if (fix === 'nulls') record.autoFixed = await readBroken()
  if (fix === 'lighten' && isBusy) record.autoFixed = await lighten()
  if (record.autoFixed) count('autoFixed')
  if (pending.delete(record)) post(record)
}

/** Reports errors whose fix is in progress when the page is left. Requests that fail later are not errors. */
function leave() {
  for (const record of pending) if (record.type !== 'network') post(record)
  pending.clear()
  flush()
}

async function meetRender(error: unknown, { componentStack, remount, isHere, say }: RenderFault) {
  const described = describeThrown(error) ?? { type: 'javascript', name: '', message: 'Unknown', stack: '' }
  const { message } = described
  isNew(described)
  const note = notes.get(message)
  if (note !== undefined) return say(note)
  notes.set(message, '')
  count('total')
  const { name, stack } = described
  const kind = kindOf(described)
  const tell = (done: string) => {
    const text = kind ? `${done} ${ADVICE[kind]}` : done
    notes.set(message, text)
    say(text)
  }
  let isNoted = false
  let ended: Awaited<ReturnType<typeof redraw>> | null = null
  void sendRenderError({ name, message: scrub(message), stack: scrub(stack) }, componentStack).then((isTaken) => {
    isNoted = isTaken
    if (isTaken && (ended === null || ended === 'failed')) tell(ended ? HELPLESS : NOTED)
  })
  ended = await redraw({ remount, isHere, hasReturned: (at) => (lastSeen.get(message) ?? 0) >= at })
  if (ended === 'worked') count('autoFixed')
  if (ended !== 'failed') return void notes.delete(message)
  if (isNoted) tell(HELPLESS)
}

function hear(fault: Event | Fault) {
  if (!(fault instanceof Event))
    return fault.render ? meetRender(fault.error, fault.render) : meet(describeThrown(fault.error))
  const uncaught = thrownIn(fault)
  if (uncaught) return meet(describeThrown(uncaught.thrown))
  const { kind, url } = resourceOf(fault.target)
  if (url.startsWith(location.origin)) return meet(describeResource(kind, url), { path: url })
}

const deaf = { push: () => undefined }

/** `since` excludes slow entries from a time when monitoring was off. */
function begin(since = 0): () => void {
  const waiting = window.caught
  window.caught = { push: hear }
  if (Array.isArray(waiting)) for (const fault of waiting as (Event | Fault)[]) void hear(fault)
  const stops = [
    watchRequests(
      ({ method, url, status }) =>
        void meet(describeRequest(method, url, status), { path: method === 'GET' ? url : undefined }),
    ),
    watchSlow((entry) => {
      if (entry.startTime < since) return
      const isBusy = entry.entryType === 'longtask'
      if (isBusy) handleLongTask(entry.duration)
      void meet(describeSlow(entry), { isBusy })
    }),
  ]
  addEventListener('pagehide', leave)
  return () => {
    window.caught = deaf
    removeEventListener('pagehide', leave)
    stops.forEach((stop) => stop())
    pending.clear()
    discard()
  }
}

let isStarted = false

export function startMonitor() {
  if (isStarted) return
  isStarted = true
  // collects no early errors while monitoring is off
  if (!isWatchOn('errors')) window.caught = deaf
  let hasBegun = window.caught === deaf
  watchEmptyPage((error) => report({ error }))
  whileOn('errors', () => {
    const since = hasBegun ? performance.now() : 0
    hasBegun = true
    return begin(since)
  })
}

type Hear = (request: { method: string; url: string; status: number }) => void

/** Requests of the monitor, whose errors it must not report. */
const OWN = /^\/api\/(ai\/|errors$)/

function watchRequests(hear: Hear): () => void {
  const plain = window.fetch
  const watched: typeof fetch = async (input, init) => {
    const tell = (status: number) => {
      const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' }
      const { origin, pathname, search } = new URL(url, location.href)
      const isOurs = origin === location.origin && !OWN.test(pathname)
      if (isOurs && navigator.onLine) hear({ method, url: pathname + search, status })
    }
    try {
      const response = await plain(input, init)
      if (response.status >= 500) tell(response.status)
      return response
    } catch (error) {
      if (!init?.signal?.aborted && (error as Error).name !== 'AbortError') tell(0)
      throw error
    }
  }
  window.fetch = watched
  return () => {
    // another script may have wrapped fetch again
    if (window.fetch === watched) window.fetch = plain
  }
}

const SLOW_KINDS = ['navigation', 'resource', 'longtask']

function watchSlow(hear: (entry: PerformanceEntry) => void): () => void {
  const observers = SLOW_KINDS.filter((type) => PerformanceObserver.supportedEntryTypes.includes(type)).map((type) => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(hear))
    observer.observe({ type, buffered: true })
    return observer
  })
  return () => observers.forEach((observer) => observer.disconnect())
}
