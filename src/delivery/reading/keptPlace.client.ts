import { call } from '../../kit/call.client.ts'
import { keepPlace } from './reading.contract.ts'
import { type Stop, storePlace } from './stored.client.ts'

const EVERY_MS = 10_000

/** Keeps where a file stopped: at most every 10 seconds, and when the page hides. A stop that does not arrive is sent with the next. Without a connection, this device stores each stop at once. */
export function keepPlaceOf(lineId: string, fileId: string) {
  let waiting: Stop | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent = ''

  function send() {
    clearTimeout(timer)
    timer = undefined
    const stop = waiting
    if (!stop) return
    waiting = null
    const isLeaving = document.visibilityState === 'hidden'
    // the browser sends a kept-alive request after the page is gone
    const via: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: isLeaving })
    call(keepPlace, { id: lineId, fileId, ...stop }, { fetch: via }).then(
      () => (sent = stop.place),
      () => {
        waiting ??= stop
        void storePlace(lineId, fileId, stop)
      },
    )
  }
  const hide = () => document.visibilityState === 'hidden' && send()
  document.addEventListener('visibilitychange', hide)
  addEventListener('pagehide', send)
  return {
    note(place: string, share: number) {
      if (place === (waiting?.place ?? sent)) return
      waiting = { place, share: Math.min(1, Math.max(0, share)), movedAt: new Date().toISOString() }
      // a page that closes cannot store the stop after its request fails
      if (!navigator.onLine) void storePlace(lineId, fileId, waiting)
      timer ??= setTimeout(send, EVERY_MS)
    },
    send,
    stop() {
      send()
      document.removeEventListener('visibilitychange', hide)
      removeEventListener('pagehide', send)
    },
  }
}

export type KeptPlace = ReturnType<typeof keepPlaceOf>
