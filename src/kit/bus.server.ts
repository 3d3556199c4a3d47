import pg from 'pg'
import { log } from './log/log.server.ts'
import { SocketClient } from './socketClient.server.ts'

export type Bus = Awaited<ReturnType<typeof openBus>>
type Listener = (payload: string | null) => void

/** A firewall can drop a connection silently, so a heartbeat detects the loss within the sum of both times. */
const BEAT_MS = 1_500
const TIMEOUT_MS = 2_500

const listening = (channel: string, patienceMs: number) =>
  ({ text: `LISTEN ${pg.escapeIdentifier(channel)}`, query_timeout: patienceMs }) as pg.QueryConfig

/** The last query of each connection. The next query waits for it, because pg deprecates its own query queue. */
const lastOf = new WeakMap<SocketClient, Promise<unknown>>()

function inTurn(on: SocketClient, query: string): Promise<unknown> {
  const asked = (lastOf.get(on) ?? Promise.resolve()).then(() => on.query(query))
  lastOf.set(
    on,
    asked.catch(() => undefined),
  )
  return asked
}

/** Listeners get the payload, or null after a lost connection: messages may be missing, so they drop their caches. */
export async function openBus(url: string, { beatMs = BEAT_MS, patienceMs = TIMEOUT_MS } = {}) {
  const listeners = new Map<string, Set<Listener>>()
  let client: SocketClient | null = null
  let isClosed = false
  let isConnected = false
  let askedLast: SocketClient | null = null

  async function connect() {
    const next = new SocketClient({
      connectionString: url,
      application_name: 'primo bus',
      keepAlive: true,
      connectionTimeoutMillis: 2 * patienceMs,
    })
    next.on('error', (error) => lose(next, error))
    next.on('end', () => lose(next))
    next.on('notification', ({ channel, payload }) => listeners.get(channel)?.forEach((tell) => tell(payload ?? '')))
    try {
      await next.connect()
      for (const channel of listeners.keys()) await next.query(listening(channel, 2 * patienceMs))
    } catch (error) {
      cut(next)
      throw error
    }
    if (isClosed) return next.end()
    client = next
    isConnected = true
    resetAll()
  }

  const resetAll = () => listeners.forEach((set) => set.forEach((tell) => tell(null)))

  function lose(lost: SocketClient, error?: Error) {
    if (client !== lost || isClosed) return
    client = null
    isConnected = false
    resetAll()
    log.warn('the LISTEN connection to the database was lost', { error })
    void retry()
  }

  const beat = setInterval(() => {
    const asked = client
    if (!asked || askedLast === asked) return
    askedLast = asked
    // if this process was blocked, the reply may have arrived already: setImmediate reads it before the check
    const late = setTimeout(() => setImmediate(() => askedLast === asked && drop(asked)), patienceMs)
    const settle = () => {
      clearTimeout(late)
      if (askedLast === asked) askedLast = null
    }
    inTurn(asked, 'SELECT 1').then(settle, settle)
  }, beatMs).unref()

  function drop(dead: SocketClient) {
    lose(dead, new Error('no answer'))
    cut(dead)
  }

  // a graceful end would wait forever for the dead server
  const cut = (dead: SocketClient) => dead.cut()

  async function retry() {
    while (!isClosed && !client) {
      await new Promise((done) => setTimeout(done, 500))
      await connect().catch(() => undefined)
    }
  }

  async function listen(channel: string, tell: Listener) {
    const set = listeners.get(channel) ?? new Set()
    const isNew = set.size === 0
    listeners.set(channel, set.add(tell))
    if (isNew && client) await inTurn(client, `LISTEN ${pg.escapeIdentifier(channel)}`)
  }

  await connect()
  return {
    listen,
    /** False while messages may be lost. Do not cache anything then. */
    isUp: () => isConnected,
    close: async () => {
      isClosed = true
      clearInterval(beat)
      await client?.end()
    },
  }
}
