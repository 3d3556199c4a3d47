import { getChat, getChatStatus } from '../../assistant/chat/chat.contract.ts'
import { getThread, listConversations } from '../../assistant/inbox/inbox.contract.ts'
import { getCart } from '../../cart/cart.contract.ts'
import { live } from '../../kit/query/useLive.ts'
import { keyOf, queryClient } from '../../kit/query/query.client.ts'
import { CHANGE_FEED_LINE, type Topic, TOPICS } from '../../notifications/changeFeed.contract.ts'
import { refreshOrders } from '../../orders/orders.query.client.ts'
import { getCredit } from '../../payments/credit.contract.ts'

const READ_ANEW: Record<Topic, () => unknown> = {
  // an order that ended elsewhere has given back its lines and its credit
  orders: () => Promise.all([refreshOrders(queryClient), readAnew(keyOf(getCart, {})[0], keyOf(getCredit, {})[0])]),
  chat: () => readAnew(keyOf(getChat, {})[0], keyOf(getChatStatus, {})[0]),
  inbox: () => readAnew(keyOf(listConversations, {})[0], keyOf(getThread, { userId: '' })[0]),
}

const readAnew = (...paths: unknown[]) => {
  for (const path of paths) void queryClient.invalidateQueries({ queryKey: [path] })
}

/** After the page has come to rest; until then what is open asks by itself. */
const WAIT_MS = 3_000
/** After a refusal (a proxy without a server, too many pages) a browser does not come back by itself. */
const AGAIN_MS = 15_000
const LONGEST_AGAIN_MS = 240_000

/** Listens for news while the page is looked at; a browser keeps few connections, and a hidden page needs none. */
export function followNews(): () => void {
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
      // what came while nobody listened
      if (wasOpen) for (const topic of TOPICS) READ_ANEW[topic]()
      wasOpen = true
    }
    source.onmessage = ({ data }: MessageEvent<string>) => READ_ANEW[data as Topic]?.()
    source.onerror = () => {
      live.set(false)
      if (source?.readyState !== EventSource.CLOSED) return
      timer = setTimeout(look, againMs)
      againMs = Math.min(2 * againMs, LONGEST_AGAIN_MS)
    }
  }
  function close() {
    clearTimeout(timer)
    source?.close()
    source = undefined
    live.set(false)
  }

  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    close()
  }
}
