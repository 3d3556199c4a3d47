import { log } from '../../kit/log.server.ts'

/** Runs at most `most` works at once; what comes meanwhile is not done (null), counted, and logged once a while. */
export function openGate(what: string, most: number, everyMs = 60_000) {
  let atWork = 0
  let dropped = 0

  function drop() {
    dropped += 1
    if (dropped > 1) return
    const tell = () => {
      log.warn(what, { count: dropped })
      dropped = 0
    }
    setTimeout(tell, everyMs).unref()
  }

  return async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (atWork >= most) {
      drop()
      return null
    }
    atWork += 1
    try {
      return await work()
    } finally {
      atWork -= 1
    }
  }
}
