import { createCookies } from '../src/identity/sessions/cookies.server.ts'
import { signingKey } from '../src/identity/identity.server.ts'
import { watchSessions } from '../src/identity/sessions/session.store.server.ts'
import type { Bus } from '../src/kit/bus.server.ts'
import { closeDatabase, openDatabase } from '../src/kit/database.server.ts'

const TIMES = 4_000

/** Measures the session lookup by one statement and from memory: medians in milliseconds. */
export async function measureSessions(databaseUrl: string, members: { cookie: string }[], secret: string) {
  const database = openDatabase(databaseUrl, { size: 2 })
  const cookies = createCookies({ secret: signingKey(secret), isSecure: false })
  try {
    const medianOf = async (isUp: boolean) => {
      // Without invalidation by the bus nothing is cached.
      const bus: Bus = { listen: async () => undefined, isUp: () => isUp, close: async () => undefined }
      const identify = await watchSessions(database, bus, cookies)
      const times: number[] = []
      for (let i = 0; i < TIMES; i++) {
        const start = performance.now()
        const user = await identify(members[i % members.length]!.cookie)
        times.push(performance.now() - start)
        if (!user) throw new Error('a session of the bench is not known')
      }
      return times.sort((a, b) => a - b)[TIMES >> 1]!
    }
    return { byStatement: await medianOf(false), fromMemory: await medianOf(true) }
  } finally {
    await closeDatabase(database)
  }
}
