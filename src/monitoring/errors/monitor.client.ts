import { createStore } from '../../kit/store.client.ts'
import type { Fault, RenderFault } from './caught.client.ts'
import { type ClientError, fixFor, severityOf } from './errors.rules.ts'
import { type Described, describeRequest, describeResource, describeSlow, describeThrown } from './faults.rules.ts'
import { hearLongTask, lighten, redraw, repeatRead } from './fixes.client.ts'
import { discard, flush, post, sendRenderError } from './outbox.client.ts'
import { scrub } from './scrub.rules.ts'
import { isWatchOn, whileOn } from './switches.client.ts'
import { watchRequests } from './watchRequests.client.ts'
import { watchSlow } from './watchSlow.client.ts'

// Counts what goes wrong in this browser, tries what may help, checks whether it did, and tells the shop. Loaded after the
// first paint; what came before waits in window.caught.

export type ErrorCounts = { total: number; autoFixed: number }

/** The same error within this time is one, in milliseconds. */
const SAME_MS = 10_000
const NOTED = 'The AI system was notified and is applying automatic fixes.'
const HELPLESS = 'The AI system was notified. Its automatic fixes did not help.'

export const errorCounts = createStore<ErrorCounts>({ total: 0, autoFixed: 0 })
const lastSeen = new Map<string, number>()
/** What the error screen says about an error that was treated, or is. */
const notes = new Map<string, string>()
const pending = new Set<ClientError>()

function count(kind: keyof ErrorCounts) {
  const counts = errorCounts.read()
  errorCounts.set({ ...counts, [kind]: counts[kind] + 1 })
}

/** Whether this error was not met a moment ago. */
function isNews({ message }: Described): boolean {
  const now = Date.now()
  const before = lastSeen.get(message)
  lastSeen.set(message, now)
  if (lastSeen.size > 200) lastSeen.delete(lastSeen.keys().next().value!)
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
  /** What can be read again. */
  path?: string | undefined
  /** Whether the page itself was too busy; less motion does not mend a slow network. */
  isBusy?: boolean
}

/** Counts an error, tries its fix, and sends it with what became of that. */
async function meet(described: Described | null, { path, isBusy = false }: Remedy = {}) {
  if (!described || !isNews(described)) return
  const record = recordOf(described)
  count('total')
  pending.add(record)
  const fix = fixFor(record.type, false)
  if (fix === 'retry') record.autoFixed = await repeatRead(path)
  if (fix === 'lighten' && isBusy) record.autoFixed = await lighten()
  if (record.autoFixed) count('autoFixed')
  if (pending.delete(record)) post(record)
}

/** When the page is left: what is still being tried. Requests that fail now fail because of that. */
function leave() {
  for (const record of pending) if (record.type !== 'network') post(record)
  pending.clear()
  flush()
}

async function meetRender(error: unknown, { componentStack, remount, isHere, say }: RenderFault) {
  const described = describeThrown(error) ?? { type: 'javascript', name: '', message: 'Unknown', stack: '' }
  const { message } = described
  isNews(described)
  const note = notes.get(message)
  if (note !== undefined) return say(note)
  notes.set(message, '')
  count('total')
  const { name, stack } = described
  void sendRenderError({ name, message: scrub(message), stack: scrub(stack) }, componentStack).then((isNoted) => {
    if (!isNoted) return
    notes.set(message, NOTED)
    say(NOTED)
  })
  const ended = await redraw({ remount, isHere, hasReturned: (at) => (lastSeen.get(message) ?? 0) >= at })
  if (ended === 'worked') count('autoFixed')
  if (ended !== 'failed') return void notes.delete(message)
  const isNoted = notes.get(message) === NOTED
  notes.set(message, isNoted ? HELPLESS : '')
  if (isNoted) say(HELPLESS)
}

function hear(fault: Event | Fault) {
  if (!(fault instanceof Event))
    return fault.render ? meetRender(fault.error, fault.render) : meet(describeThrown(fault.error))
  if (fault instanceof PromiseRejectionEvent) return meet(describeThrown(fault.reason))
  if (fault instanceof ErrorEvent) return meet(describeThrown(fault.error ?? fault.message))
  const [kind, url] = resourceOf(fault.target)
  if (url.startsWith(location.origin)) return meet(describeResource(kind, url), { path: url })
}

function resourceOf(target: EventTarget | null): [kind: string, url: string] {
  if (target instanceof HTMLImageElement) return ['image', target.currentSrc || target.src]
  if (target instanceof HTMLScriptElement) return ['script', target.src]
  return target instanceof HTMLLinkElement ? ['style sheet', target.href] : ['', '']
}

const deaf = { push: () => undefined }

/** `since`: what was slow before, while nobody was to look, is not told. */
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
      if (isBusy) hearLongTask(entry.duration)
      void meet(describeSlow(entry), { isBusy })
    }),
  ]
  addEventListener('pagehide', leave)
  return () => {
    window.caught = deaf
    removeEventListener('pagehide', leave)
    stops.forEach((stop) => stop())
    // from now on nothing leaves, whatever was collected before
    pending.clear()
    discard()
  }
}

let isStarted = false

/** Monitors this page from now on, as long as its switch is on. */
export function startMonitor() {
  if (isStarted) return
  isStarted = true
  // what came before the first paint is not kept for a time when it may be told
  if (!isWatchOn('errors')) window.caught = deaf
  let hasBegun = window.caught === deaf
  whileOn('errors', () => {
    const since = hasBegun ? performance.now() : 0
    hasBegun = true
    return begin(since)
  })
}
