import { getChat, getChatStatus } from '../../support/chat/chat.contract.ts'
import { STAFF } from '../../support/chat/typing.rules.ts'
import { handleTyping } from '../../support/chat/useTyping.ts'
import { getThread, listConversations } from '../../support/inbox/inbox.contract.ts'
import { getCart } from '../../cart/cart.contract.ts'
import { listLibrary, readGoOn } from '../../delivery/library/owned.contract.ts'
import { live } from '../../kit/query/useLive.ts'
import { keyOf, queryClient } from '../../kit/query/query.client.ts'
import { CHANGE_FEED_LINE, type Topic, TOPICS, TYPING } from '../../notifications/changeFeed.contract.ts'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { refreshOrders } from '../../purchases/orders.query.client.ts'
import { getCredit } from '../../payments/credit.contract.ts'
import { listCustomers } from '../../selling/customers/customers.contract.ts'
import { getOverview } from '../../selling/overview/overview.contract.ts'
import { getSales, listSales } from '../../selling/sales/sales.contract.ts'

const READ_ANEW: Record<Topic, () => unknown> = {
  // a failed order returns its lines to the cart and its credit
  orders: () =>
    Promise.all([
      refreshOrders(queryClient),
      readAnew(...[getCart, getCredit, getCurrentUser, listLibrary, readGoOn].map((one) => keyOf(one, {})[0])),
    ]),
  sales: () =>
    readAnew(
      keyOf(listSales, {})[0],
      keyOf(getSales, { days: 7 })[0],
      keyOf(getOverview, {})[0],
      keyOf(listCustomers, {})[0],
    ),
  chat: () => readAnew(keyOf(getChat, {})[0], keyOf(getChatStatus, {})[0]),
  inbox: () => readAnew(keyOf(listConversations, {})[0], keyOf(getThread, { userId: '' })[0]),
}

const readAnew = (...paths: unknown[]) => {
  for (const path of paths) void queryClient.invalidateQueries({ queryKey: [path] })
}

/** The feed starts after the page has loaded. Until then, open parts poll. */
const WAIT_MS = 3_000
/** Browsers do not reconnect after an HTTP error, such as from a proxy or with too many pages. */
const AGAIN_MS = 15_000
const MAX_AGAIN_MS = 240_000

/** Follows the change feed. A hidden page disconnects, because browsers allow few connections. */
export function followChangeFeed(): () => void {
  let source: EventSource | undefined
  let wasOpen = false
  let timer = setTimeout(look, WAIT_MS)
  let againMs = AGAIN_MS

  function look() {
    clearTimeout(timer)
    if (document.hidden) return close()
    if (source && source.readyState !== EventSource.CLOSED) return
    source = new EventSource(CHANGE_FEED_LINE.slice('GET '.length))
    source.onopen = () => {
      live.set(true)
      againMs = AGAIN_MS
      // The feed does not repeat changes that happened while disconnected.
      if (wasOpen) for (const topic of TOPICS) READ_ANEW[topic]()
      wasOpen = true
    }
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const [topic] = data.split(':', 1) as [Topic | typeof TYPING]
      if (topic === TYPING) handleTyping(data.slice(TYPING.length + 1) || STAFF)
      else READ_ANEW[topic]?.()
    }
    source.onerror = () => {
      live.set(false)
      if (source?.readyState !== EventSource.CLOSED) return
      timer = setTimeout(look, againMs)
      againMs = Math.min(2 * againMs, MAX_AGAIN_MS)
    }
  }
  function close() {
    clearTimeout(timer)
    source?.close()
    source = undefined
    live.set(false)
  }

  document.addEventListener('visibilitychange', look)
  // Firefox reports an error when a navigation closes the feed
  addEventListener('pagehide', close)
  // the browser restored this page from its back-forward cache
  addEventListener('pageshow', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    removeEventListener('pagehide', close)
    removeEventListener('pageshow', look)
    close()
  }
}
