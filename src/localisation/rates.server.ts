import { sql } from 'kysely'
import type { Config } from '../kit/config.server.ts'
import type { Db } from '../kit/database.server.ts'
import { asJson, handleCached } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log.server.ts'
import { getRates, type Rates } from './localisation.contract.ts'
import { checkRates, isUsable } from './rates.rules.ts'

const TIMEOUT_MS = 5_000
const CHANNEL = 'rates'

export const ratesRoute = handleCached(getRates, {
  channels: [CHANNEL],
  load: async (_input, { db }) => asJson(JSON.stringify(await readRates(db))),
})

async function readRates(db: Db, now = new Date()): Promise<Rates> {
  const row = await db.selectFrom('exchangeRates').selectAll().executeTakeFirst()
  if (!row || !isUsable(row.fetchedAt, now)) return { base: 'USD', rates: { USD: 1 }, updatedAt: null }
  return { base: 'USD', rates: row.rates as Record<string, number>, updatedAt: row.fetchedAt.toISOString() }
}

/** Reads the rates every hour; without RATES_URL every price stays in dollars. */
export function ratesJobs({ ratesUrl }: Pick<Config, 'ratesUrl'>, db: Db): Job[] {
  if (!ratesUrl) return []
  return [{ name: 'rates', cron: '7 * * * *', run: () => refreshRates(db, ratesUrl) }]
}

/** At start: the newest rates may be hours old, or there are none yet. */
export async function refreshOldRates({ ratesUrl }: Pick<Config, 'ratesUrl'>, db: Db) {
  if (!ratesUrl) return
  const fresh = await db
    .selectFrom('exchangeRates')
    .select('base')
    .where('fetchedAt', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirst()
  if (!fresh) await refreshRates(db, ratesUrl)
}

/** Never throws for the service's sake: the last rates stay until they are seven days old. */
export async function refreshRates(db: Db, url: string) {
  const last = await db.selectFrom('exchangeRates').select('rates').executeTakeFirst()
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`answered ${response.status}`)
    const rates = checkRates(await response.json(), (last?.rates ?? {}) as Record<string, number>)
    await db
      .insertInto('exchangeRates')
      .values({ base: 'USD', rates: JSON.stringify(rates) })
      .onConflict((conflict) =>
        conflict.column('base').doUpdateSet({ rates: JSON.stringify(rates), fetchedAt: sql`now()` }),
      )
      .execute()
  } catch (error) {
    log.warn('the exchange rates could not be read; the last ones stay', { error })
  }
  // also when nothing came: what is remembered may have grown too old
  await sql`SELECT pg_notify(${CHANNEL}, '')`.execute(db)
}
