import { sql } from 'kysely'
import type { LocalisationConfig } from './localisation.settings.server.ts'
import { type Db, now } from '../kit/database.server.ts'
import { handleCached } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { type Finding, off, ok, warn } from '../kit/health/finding.rules.ts'
import { getRates, type Rates } from './localisation.contract.ts'
import { type KeptRates, OLDEST_MS, renewRates, usableRates } from './rates.rules.ts'
import type { On } from '../kit/sql/statements.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './rates.statements.server.ts'

const TIMEOUT_MS = 5_000
const CHANNEL = 'rates'
const STALE_HOURS = 3
const NONE: Rates = { base: 'USD', rates: { USD: 1 }, updatedAt: null }

export const ratesRoute = ({ ratesUrl }: Pick<LocalisationConfig, 'ratesUrl'>) =>
  handleCached(getRates, {
    channels: [CHANNEL],
    load: async (_input, { db }) => {
      const rates = ratesUrl ? await readRates(db) : NONE
      const times = Object.values(rates.readAt ?? {}).map((at) => Date.parse(at))
      return { json: JSON.stringify(rates), until: Math.min(...times) + OLDEST_MS }
    },
  })

async function readKept(db: Db): Promise<(KeptRates & { fetchedAt: Date }) | null> {
  const row = await db.selectFrom('exchangeRates').selectAll().executeTakeFirst()
  if (!row) return null
  const { rates, readAt, fetchedAt } = row
  return { rates: rates as Record<string, number>, readAt: readAt as Record<string, string>, fetchedAt }
}

async function readRates(db: Db, now = new Date()): Promise<Rates> {
  const kept = await readKept(db)
  const { rates, readAt } = usableRates(kept ?? { rates: {}, readAt: {} }, now)
  if (!kept || Object.keys(rates).length === 1) return NONE
  return { base: 'USD', rates, readAt, updatedAt: kept.fetchedAt.toISOString() }
}

/** Checks the age of the rates. Old rates only cause a warning, because prices fall back to dollars. */
export async function checkRates(on: On, { ratesUrl }: Pick<LocalisationConfig, 'ratesUrl'>): Promise<Finding> {
  if (!ratesUrl) return off('exchange rates', 'every price is shown in dollars', 'set RATES_URL')
  const { hours, late } = only(await statements.readAge(on, { staleHours: STALE_HOURS }))
  const mend = 'see whether RATES_URL answers; prices are shown in dollars when rates are seven days old'
  if (hours === null) return warn('exchange rates', 'none could be read yet', mend)
  const says = `read ${hours.toFixed(1)} hours ago`
  if (hours > STALE_HOURS) return warn('exchange rates', says, mend)
  const lateMend = 'see whether RATES_URL tells them; a leap of more than half is believed after seven days'
  return late ? warn('exchange rates', `${says}, but not ${late}`, lateMend) : ok('exchange rates', says)
}

/** Reads the rates every hour. Without RATES_URL, all prices are in dollars. */
export function ratesJobs({ ratesUrl }: Pick<LocalisationConfig, 'ratesUrl'>, db: Db): Job[] {
  if (!ratesUrl) return []
  return [{ name: 'rates', pool: 'outside', cron: '7 * * * *', run: () => refreshRates(db, ratesUrl) }]
}

export async function refreshOldRates({ ratesUrl }: Pick<LocalisationConfig, 'ratesUrl'>, db: Db) {
  if (!ratesUrl) return
  const fresh = await db
    .selectFrom('exchangeRates')
    .select('base')
    .where('fetchedAt', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirst()
  if (!fresh) await refreshRates(db, ratesUrl)
}

/** Does not throw if the service fails: the last rates are valid until they are seven days old. */
export async function refreshRates(db: Db, url: string) {
  const kept = await readKept(db)
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`answered ${response.status}`)
    const renewed = renewRates(await response.json(), kept ?? { rates: {}, readAt: {} }, new Date())
    const row = { rates: JSON.stringify(renewed.rates), readAt: JSON.stringify(renewed.readAt) }
    await db
      .insertInto('exchangeRates')
      .values({ base: 'USD', ...row })
      .onConflict((conflict) => conflict.column('base').doUpdateSet({ ...row, fetchedAt: now }))
      .execute()
  } catch (error) {
    log.warn('the exchange rates could not be read; the last ones stay', { error })
  }
  // also after a failure, because a cached rate may have expired
  await statements.notifyRates(db, {})
}
