import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openTestShop, type TestShop } from '../../test/shop.ts'
import { getLocation, getRates } from './localisation.contract.ts'
import { checkRates, refreshRates } from './rates.server.ts'

// A local HTTP server replaces the outside services.

const services = {
  rates: { EUR: 0.92, GBP: 0.79 } as Record<string, unknown>,
  status: 200,
  isAnswering: true,
  askedFor: [] as string[],
}
const server = createServer((request, response) => {
  const ip = /^\/geo\/(.+)$/.exec(request.url!)?.[1]
  if (ip) services.askedFor.push(decodeURIComponent(ip))
  const body = ip ? { country_code: 'DE', city: 'Berlin', ip } : { rates: services.rates }
  if (services.isAnswering) response.writeHead(services.status).end(JSON.stringify(body))
})

let base: string
let shop: TestShop
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { GEO_URL: `${base}/geo/{ip}`, GEO_HEADER: 'CF-IPCountry', RATES_URL: `${base}/rates` }
  shop = await openTestShop({ ...settings, TRUST_PROXY: '1' })
})
afterAll(async () => {
  await shop.close()
  server.close()
})

const locate = (headers: Record<string, string>) => shop.call(getLocation, {}, { headers })
const refresh = () => refreshRates(shop.database.db, `${base}/rates`)
const home = (ip: string) => ({ country_code: 'US', country_name: 'United States', city: '', ip, isKnown: false })

test('looks up a public address once and returns country, city and the address', async () => {
  const germany = { country_code: 'DE', country_name: 'Germany', city: 'Berlin', ip: '8.8.8.8', isKnown: true }
  expect(await locate({ 'x-forwarded-for': '8.8.8.8' })).toEqual(germany)
  expect(await locate({ 'x-forwarded-for': '8.8.8.8' })).toEqual(germany)
  expect(services.askedFor).toEqual(['8.8.8.8'])
})

test('never looks up a private or malformed address', async () => {
  services.askedFor = []
  for (const ip of ['127.0.0.1', '10.0.0.7', '::1', 'fd00::1', 'nonsense/../x']) {
    expect(await locate({ 'x-forwarded-for': ip })).toMatchObject({ isKnown: false, city: '' })
  }
  expect(services.askedFor).toEqual([])
})

test("the proxy's header overrides the lookup", async () => {
  expect(await locate({ 'x-forwarded-for': '8.8.4.4', 'cf-ipcountry': 'JP' })).toMatchObject({ country_code: 'JP' })
  expect(await locate({ 'x-forwarded-for': '127.0.0.1', 'cf-ipcountry': 'XX' })).toEqual(home('127.0.0.1'))
  expect(await locate({ 'x-forwarded-for': '127.0.0.1', 'cf-ipcountry': '<b>' })).toEqual(home('127.0.0.1'))
})

test('falls back to the United States when the service fails or is slow', async () => {
  services.status = 500
  expect(await locate({ 'x-forwarded-for': '9.9.9.9' })).toEqual(home('9.9.9.9'))
  services.status = 200
  services.isAnswering = false
  onTestFinished(() => void (services.isAnswering = true))
  const timeOut = AbortSignal.timeout.bind(AbortSignal)
  const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeOut(20))
  expect(await locate({ 'x-forwarded-for': '9.9.9.10' })).toEqual(home('9.9.9.10'))
  expect(limit).toHaveBeenCalledWith(2_000)
})

test('stores rates while the service fails, and expires them after a week', async () => {
  expect(await shop.call(getRates, {})).toEqual({ base: 'USD', rates: { USD: 1 }, updatedAt: null })
  await refresh()
  const first = () => shop.call(getRates, {})
  await expect.poll(first).toMatchObject({ rates: { USD: 1, EUR: 0.92, GBP: 0.79 } })
  const { pool } = shop.database
  await pool.query(
    `UPDATE exchange_rates SET read_at = jsonb_set(read_at, '{GBP}', to_jsonb((now() - interval '6 days')::text))`,
  )
  services.rates = { EUR: 0.93, GBP: 7.4 }
  await refresh()
  await expect.poll(first).toMatchObject({ rates: { EUR: 0.93, GBP: 0.79 } })
  // an implausible rate does not replace the last plausible one, whose age does not change
  const { readAt, updatedAt } = await first()
  expect(Date.parse(updatedAt!) - Date.parse(readAt!.GBP!)).toBeGreaterThan(5.9 * 86_400_000)
  expect(await checkRates(pool, { ratesUrl: base })).toMatchObject({
    grade: 'warn',
    says: expect.stringContaining('but not GBP') as string,
  })
  await pool.query(
    `UPDATE exchange_rates SET read_at = jsonb_set(read_at, '{GBP}', to_jsonb((now() - interval '7 days 1 minute')::text))`,
  )
  await refresh()
  await expect.poll(first).toMatchObject({ rates: { EUR: 0.93, GBP: 7.4 } })
  expect((await checkRates(pool, { ratesUrl: base })).grade).toBe('ok')
  services.status = 503
  await refresh()
  expect(await first()).toMatchObject({ rates: { EUR: 0.93 } })
  await pool.query(`UPDATE exchange_rates SET fetched_at = now() - interval '4 hours'`)
  expect((await checkRates(pool, { ratesUrl: base })).grade).toBe('warn')
  await pool.query(`UPDATE exchange_rates SET fetched_at = now() - interval '7 days 1 minute', read_at = '{}'`)
  await refresh()
  await expect.poll(first).toEqual({ base: 'USD', rates: { USD: 1 }, updatedAt: null })
  services.status = 200
})

test('rates expire after seven days, even if the service has stopped', async () => {
  services.rates = { EUR: 0.92 }
  await refresh()
  const read = () => shop.call(getRates, {})
  await expect.poll(read).toMatchObject({ rates: { EUR: 0.92 } })
  const at = Date.parse((await read()).readAt!.EUR!)
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: at + 7 * 86_400_000 - 1_000 })
  expect(await read()).toMatchObject({ rates: { EUR: 0.92 } })
  vi.setSystemTime(at + 7 * 86_400_000 + 1)
  expect(await read()).toEqual({ base: 'USD', rates: { USD: 1 }, updatedAt: null })
})

test('without settings the server calls no service and shows no stored rates', async () => {
  const plain = await openTestShop()
  await refreshRates(plain.database.db, `${base}/rates`)
  services.askedFor = []
  expect(await plain.call(getLocation, {}, { headers: { 'x-forwarded-for': '8.8.8.8' } })).toEqual(home('127.0.0.1'))
  expect(await plain.call(getRates, {})).toEqual({ base: 'USD', rates: { USD: 1 }, updatedAt: null })
  expect(services.askedFor).toEqual([])
  await plain.close()
})
