import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../kit/serve/port.server.ts'
import { openTestShop, type TestShop } from '../../../test/shop.ts'
import { serveMetrics } from './metrics.server.ts'
import { sendVitals } from './vitals.contract.ts'

const TOKEN = 'a token of sixteen or more'

let shop: TestShop
/** Serves metrics on a separate port, and none on the public port without a token. */
let apart: TestShop
let port = 0
beforeAll(async () => {
  port = await findFreePort()
  shop = await openTestShop({ METRICS_TOKEN: TOKEN })
  apart = await openTestShop({ METRICS_PORT: String(port) })
})
afterAll(async () => {
  await shop.close()
  await apart.close()
})

const read = async (url: string, token = TOKEN) => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, text: await response.text() }
}

test('serves no metrics without a setting', async () => {
  expect((await read(apart.url)).text).not.toContain('primo_')
})

test('serves request, order, job and web-vital metrics only with the metrics token', async () => {
  expect((await read(shop.url, 'another token entirely')).status).toBe(401)
  await fetch(`${shop.url}/api/products?limit=2`)
  await fetch(`${shop.url}/api/cart`)
  await shop.call(sendVitals, { vitals: [{ name: 'LCP', value: 1200, route: '/product/:id' }] })
  await shop.call(sendVitals, { vitals: [{ name: 'LCP', value: 1200, route: '/made/up' }] })
  const { status, text } = await read(shop.url)
  expect(status).toBe(200)
  expect(text).toContain('primo_request_seconds_count{method="GET",route="/api/products",status="2xx"} 1')
  expect(text).toContain('primo_request_seconds_count{method="GET",route="/api/cart",status="4xx"} 1')
  expect(text).toContain('primo_web_vital_sum{name="LCP",route="/product/:id"} 1.2')
  expect(text).not.toContain('/made/up')
  expect(text).toContain('primo_part_up{part="database"} 1')
  expect(text).toContain('primo_jobs{state="due"} 0')
  expect(text).toContain('primo_risk_holds_open 0')
  expect(text).toContain('process_resident_memory_bytes')
})

test('counts a paid order once, however often the metrics are read', async () => {
  await read(shop.url)
  const { id } = await shop.join()
  await shop.database.pool.query(
    `WITH placed AS (
       INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, expires_at, status, completed_at)
       VALUES ($1, 'key', 'hash', 'cart', 100, now(), 'completed', now()) RETURNING id)
     INSERT INTO order_events (order_id, from_status, to_status, reason, reason_code, created_at)
     SELECT id, 'pending', 'completed', 'paid', 'paid', now() - interval '20 s' FROM placed`,
    [id],
  )
  for (let i = 0; i < 3; i++) {
    expect((await read(shop.url)).text).toContain('primo_order_changes_total{status="completed"} 1')
  }
})

const inDeploy = (path: string) => readFileSync(join(import.meta.dirname, '../../../deploy', path), 'utf8')

test('uses only existing metrics in alerts and the dashboard, and has a runbook for each alert', async () => {
  const { text } = await read(shop.url)
  const known = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name, type]) => namesOf(name!, type!)))
  const rules = inDeploy('prometheus/alerts.yaml')
  const board = JSON.parse(inDeploy('grafana/primo.json')) as { panels: { targets: { expr: string }[] }[] }
  const shown = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
  const alerts = rules.split('- alert: ').slice(1)
  const asked = [...`${rules}\n${shown}`.matchAll(/\b(?:primo|nodejs|process)_\w+/g)].map(([name]) => name)
  expect(asked.length).toBeGreaterThan(30)
  expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([])
  const headings = readFileSync(join(import.meta.dirname, '../../../docs/operating/alerts.md'), 'utf8').match(
    /^## \w+$/gm,
  )
  const named = alerts.map((alert) => /^\w+/.exec(alert)![0])
  expect(named.filter((name) => !headings?.includes(`## ${name}`))).toEqual([])
  expect(alerts.filter((alert, i) => !alert.includes(`docs/operating/alerts.md#${named[i]!.toLowerCase()}\n`))).toEqual(
    [],
  )
})

/** A histogram is queried by its parts. */
const namesOf = (name: string, type: string) =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name]

test('requires no token on a separate port', async () => {
  expect(await read(`http://127.0.0.1:${port}`, '')).toMatchObject({ status: 200 })
})

test('shows the setting when another node of the machine uses the port', async () => {
  const metrics = { contentType: 'text/plain', read: () => Promise.resolve('') }
  await expect(
    serveMetrics(metrics as Parameters<typeof serveMetrics>[0], { port, host: '127.0.0.1' }),
  ).rejects.toThrow(`METRICS_PORT: port ${port} is taken.`)
})
