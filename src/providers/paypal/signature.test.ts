import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { CERTIFICATE, signEvent } from '../../../sandbox/paypal/keys.server.ts'
import { createSignatureCheck } from './signature.server.ts'

const { validFrom, validTo } = new X509Certificate(CERTIFICATE)
const DAY_MS = 86_400_000
const KEYS = { clientId: '', clientSecret: '', tokenSecret: '', webhookId: 'WEBHOOK' }
const server = createServer((_, answer) => answer.end(CERTIFICATE))
let base = ''

beforeAll(async () => {
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
afterEach(() => vi.useRealTimers())

const BODY = '{"id":"WH-1"}'
/** Signs an event with the current time and verifies it. */
async function verify(check: ReturnType<typeof createSignatureCheck>) {
  const headers: Record<string, string> = await signEvent(KEYS, base, BODY, undefined, new Date())
  return check({ header: (name) => headers[name], body: Buffer.from(BODY), ip: '192.0.2.1' })
}
const open = () =>
  createSignatureCheck(
    [{ named: `${base}/v1/notifications/certs/`, reached: `${base}/v1/notifications/certs/` }],
    KEYS.webhookId,
  )
const setDay = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time })

test('accepts a certificate only between its first and last day', async () => {
  for (const [time, isGenuine] of [
    [Date.parse(validFrom) - DAY_MS, false],
    [Date.parse(validFrom) + DAY_MS, true],
    [Date.parse(validTo) - DAY_MS, true],
    [Date.parse(validTo) + DAY_MS, false],
  ] as const) {
    setDay(time)
    expect(await verify(open()), new Date(time).toISOString()).toBe(isGenuine)
  }
})

test('rejects a cached certificate after its last day', async () => {
  const check = open()
  setDay(Date.parse(validTo) - DAY_MS)
  expect(await verify(check)).toBe(true)
  setDay(Date.parse(validTo) + DAY_MS)
  expect(await verify(check)).toBe(false)
})
