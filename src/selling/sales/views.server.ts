import type pg from 'pg'
import { handle } from '../../kit/handle.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { addViews } from './rollup.statements.server.ts'
import { viewProduct } from './views.contract.ts'

// Decision 0043: the browser reports an open product page. This process collects views and writes them in batches.

const FLUSH_MS = 5_000
/** Views that this process remembers, so that a member counts once a day. */
const MAX_KNOWN = 100_000
/** Views that wait while the database is unavailable. */
const MAX_WAITING = 20_000
/** User agents of known robots. A view also requires a session. */
const ROBOT = /bot\b|crawl|spider|preview|fetcher|monitor/i

type Look = { productId: string; viewerId: string }

export type Views = ReturnType<typeof openViews>

export function openViews(pool: pg.Pool) {
  let known = new Set<string>()
  let today = ''
  let waiting: Look[] = []
  let writing: Promise<void> = Promise.resolve()

  /** Queues a view if it is the first of the member on this day. */
  function note(look: Look) {
    const day = new Date().toISOString().slice(0, 10)
    if (day !== today || known.size >= MAX_KNOWN) known = new Set()
    today = day
    const key = look.productId + look.viewerId
    if (known.has(key) || waiting.length >= MAX_WAITING) return
    known.add(key)
    waiting.push(look)
  }

  async function write() {
    if (waiting.length === 0) return
    const looks = waiting
    waiting = []
    try {
      await addViews(pool, {
        productIds: looks.map(({ productId }) => productId),
        viewerIds: looks.map(({ viewerId }) => viewerId),
      })
    } catch (error) {
      log.warn('views of products were not counted yet', { error })
      waiting = [...looks, ...waiting].slice(0, MAX_WAITING)
    }
  }

  /** Writes all queued views in one statement. */
  const flush = () => (writing = writing.then(write))
  const timer = setInterval(() => void flush(), FLUSH_MS)

  const route = handle(
    viewProduct,
    { limits: [{ per: 'account', count: 120, seconds: 60 }] },
    async ({ id }, { user, header }) => {
      if (!ROBOT.test(header('user-agent') ?? '')) note({ productId: id, viewerId: user.id })
      return {}
    },
  )
  return {
    route,
    flush,
    stop: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
