import { call, fetchUsed } from '../../kit/call.client.ts'
import { keepPlace } from './reading.contract.ts'
import { type Stop, storePlace } from './stored.client.ts'

const EVERY_MS = 10_000

/** Sends the position every 10 seconds and when the page hides. Stores a position on this device if sending fails. */
export function keepPlaceOf(lineId: string, fileId: string) {
  let waiting: Stop | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent: Stop | null = null

  function send() {
    clearTimeout(timer)
    timer = undefined
    const stop = waiting
    if (!stop) return
    waiting = null
    const isLeaving = document.visibilityState === 'hidden'
    // `keepalive` lets the request finish after the page is closed
    const via: typeof fetch = (input, init) => fetchUsed(input, { ...init, keepalive: isLeaving })
    call(keepPlace, { id: lineId, fileId, ...stop }, { fetch: via }).then(
      () => (sent = stop),
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
    note(place: string, progress: number) {
      const share = Math.min(1, Math.max(0, progress))
      const known = waiting ?? sent
      if (known?.place === place && known.share === share) return
      waiting = { place, share, movedAt: new Date().toISOString() }
      // a closing page cannot store the position after a failed request
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
