import { openBus } from './bus.server.ts'
import { checkPooler } from './cluster/pooler.server.ts'
import { openReplica } from './cluster/replica.server.ts'
import type { Config } from './config.server.ts'
import { closeDatabase, openDatabase } from './database.server.ts'
import { queueJobs } from './jobs.server.ts'
import { checkDatabase, checkReplica } from './health/database.check.server.ts'
import { HOLDS_SECONDS } from './health/finding.rules.ts'
import { checkMail } from './mail/mail.check.server.ts'
import type { Module } from './module.server.ts'
import { findFreePort } from './serve/port.server.ts'
import { createByteCache } from './serve/cache.server.ts'
import { createLimiter } from './serve/limit.server.ts'
import { createSharedLimiter, limitJobs } from './serve/sharedLimit.server.ts'

type Start = { config: Config; databaseUrl: string; secret: string; hasJobs: boolean; distDir: string }

export type Kit<Settings extends object = object> = Start & { config: Settings } & Awaited<
    ReturnType<typeof kit.open>
  >['parts']

export function selfUrlOf(host: string, port: number): string {
  const address = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

export const kit = {
  async open({ config, databaseUrl }: Start) {
    const port = config.port === 0 ? await findFreePort() : config.port
    const publicUrl = config.publicUrl ?? `http://localhost:${port}`
    const isPooled = config.poolerUrl !== undefined
    const database = openDatabase(config.poolerUrl ?? databaseUrl, { size: config.databasePool, isPooled })
    if (isPooled) await checkPooler(database.pool)
    const bus = await openBus(databaseUrl)
    const replica = config.replica && openReplica(config.replica, { database, bus, size: config.databasePool })
    return {
      jobs: [...limitJobs(database.db), ...queueJobs(database)],
      checks: [
        { name: 'database', look: () => checkDatabase(database.pool) },
        ...(replica ? [{ name: 'replica', look: () => checkReplica(replica) }] : []),
        { name: 'mail', look: () => checkMail(config), holdsSeconds: HOLDS_SECONDS },
      ],
      parts: {
        ...{ port, publicUrl, database, bus, replica },
        isTls: publicUrl.startsWith('https:'),
        selfUrl: selfUrlOf(config.host, port),
        cache: createByteCache(bus),
        limiter: createLimiter({ scale: config.rateLimitScale }),
        sharedLimiter: createSharedLimiter(database.pool, { scale: config.rateLimitScale }),
      },
      close: async () => {
        await replica?.close()
        await bus.close()
        await closeDatabase(database)
      },
    }
  },
} satisfies Module
