import { log } from '../../kit/log/log.server.ts'

/** Runs at most `most` tasks at a time. Drops further ones (null), and logs their number periodically. */
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
