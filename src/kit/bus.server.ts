import pg from 'pg'
import { log } from './log.server.ts'

export type Bus = Awaited<ReturnType<typeof openBus>>
type Listener = (payload: string | null) => void

/**
 * News between nodes over LISTEN/NOTIFY. A listener gets the payload, or null when the connection was lost and news may
 * have been missed: it must then forget everything it remembers.
 */
export async function openBus(url: string) {
  const listeners = new Map<string, Set<Listener>>()
  let client: pg.Client | null = null
  let isClosed = false
  let isConnected = false

  async function connect() {
    const next = new pg.Client({ connectionString: url, application_name: 'primo bus', keepAlive: true })
    next.on('error', (error) => lose(next, error))
    next.on('end', () => lose(next))
    next.on('notification', ({ channel, payload }) => listeners.get(channel)?.forEach((tell) => tell(payload ?? '')))
    await next.connect()
    for (const channel of listeners.keys()) await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    client = next
    isConnected = true
    forgetAll()
  }

  const forgetAll = () => listeners.forEach((set) => set.forEach((tell) => tell(null)))

  function lose(lost: pg.Client, error?: Error) {
    if (client !== lost || isClosed) return
    client = null
    isConnected = false
    forgetAll()
    log.warn('the news connection to the database was lost', { error })
    void retry()
  }

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
    if (isNew) await client?.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
  }

  await connect()
  return {
    listen,
    /** False while news may be missed; what is cached then must not be served for long. */
    isUp: () => isConnected,
    close: async () => {
      isClosed = true
      await client?.end()
    },
  }
}
