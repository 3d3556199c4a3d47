import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../kit/failure.ts'
import { REPORT_BYTES } from './errors.contract.ts'
import {
  type ClientError,
  describeRequest,
  describeResource,
  describeSlow,
  describeThrown,
  maySend,
  fitReport,
  fixFor,
  isUrgent,
  MAX_PER_MINUTE,
  resourceOf,
  severityOf,
  gradeOf,
  thrownIn,
} from './errors.rules.ts'

test.each([
  ['Payment was not started', 'critical'],
  ['A SECURITY header is missing', 'critical'],
  ['401: Unauthorized', 'critical'],
  ['Network error: fetching payments', 'critical'],
  ['Network request failed', 'high'],
  ['GET /api/cart failed', 'high'],
  ['Failed to fetch', 'high'],
  ['The api could not render', 'high'],
  ['Cannot render the page', 'medium'],
  ['A Component is missing', 'medium'],
  ["Cannot read properties of undefined (reading 'price')", 'low'],
  ['', 'low'],
])('grades "%s" as %s', (message, severity) => {
  expect(severityOf(message)).toBe(severity)
  expect(isUrgent(severityOf(message))).toBe(severity === 'critical' || severity === 'high')
})

test('grades a slow request as low for any address', () => {
  for (const path of ['/api/products', '/api/payments', '/images/:id/640.webp'])
    expect(gradeOf({ type: 'performance', message: `Slow performance: resource ${path} took 4568 ms` })).toBe('low')
  expect(gradeOf({ type: 'network', message: 'Failed to fetch' })).toBe('high')
})

test.each([
  ['network', 'Network error: x', 'retry'],
  ['performance', 'Slow performance: x', 'lighten'],
  ['javascript', "Cannot read properties of undefined (reading 'a')", 'nulls'],
  ['javascript', 'x is not a function', null],
] as const)('tries a fix for a %s error with the text "%s": %s', (type, message, fix) => {
  expect(fixFor({ type, message })).toBe(fix)
})

const named = (name: string, message: string) => Object.assign(new Error(message), { name })

test.each<[string, unknown, string | undefined]>([
  ['an error', new TypeError('x is undefined'), 'javascript'],
  ['a request that failed, in Chromium', new TypeError('Failed to fetch'), 'network'],
  ['in Firefox', new TypeError('NetworkError when attempting to fetch resource.'), 'network'],
  ['in Safari', new TypeError('Load failed'), 'network'],
  ['a script that did not come', new TypeError('Failed to fetch dynamically imported module: /assets/x.js'), 'network'],
  ['a text', 'no', 'javascript'],
  ['an object', { code: 7 }, 'javascript'],
  ['nothing', undefined, 'javascript'],
  ['a 5xx of the shop', new Failure(500, '500: {}'), 'javascript'],
  ['a refusal of the shop', new Failure(409, '409: {}'), undefined],
  ['a request given up', named('AbortError', 'signal is aborted'), undefined],
  ['a remark of the browser', 'ResizeObserver loop completed with undelivered notifications.', undefined],
  ["another site's script", 'Script error.', undefined],
])('describes %s as: %s', (_, thrown, type) => {
  expect(describeThrown(thrown)?.type).toBe(type)
})

test('ignores errors of browser extensions', () => {
  const error = new Error('x')
  error.stack = 'Error: x\n    at f (chrome-extension://abc/inject.js:1:2)'
  expect(describeThrown(error)).toBeNull()
})

test('describes requests and images without the queries of their URLs', () => {
  expect(describeRequest('GET', '/api/orders?after=7', 503).message).toBe(
    'Network error: GET /api/orders was answered with 503',
  )
  expect(describeRequest('POST', '/api/cart', 0).message).toBe('Network error: POST /api/cart was not answered')
  const url = 'https://shop.example/images/0190b3c2-7f58-7cc3-98c4-dc0c0c07398f/640.webp'
  expect(describeResource('image', url).message).toBe('Network error: image /images/:id/640.webp could not be loaded')
})

test.each<[string, { entryType: string; name: string; duration: number }, string | undefined]>([
  [
    'a long task of 3001 ms',
    { entryType: 'longtask', name: 'self', duration: 3001 },
    'Slow performance: longtask took 3001 ms',
  ],
  ['one of exactly 3000 ms', { entryType: 'longtask', name: 'self', duration: 3000 }, undefined],
  [
    'a slow answer',
    { entryType: 'resource', name: 'https://shop.example/api/products?q=x', duration: 4000.4 },
    'Slow performance: resource /api/products took 4000 ms',
  ],
  [
    'the stream of news',
    { entryType: 'resource', name: 'https://shop.example/api/events', duration: 60_000 },
    undefined,
  ],
  ['an upload', { entryType: 'resource', name: 'https://shop.example/objects/1', duration: 60_000 }, undefined],
])('describes %s', (_, entry, message) => {
  expect(describeSlow(entry)?.message).toBe(message)
})

test('sends at most ten records a minute, and each record once', () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', ...'efghijklmnop'), wait: fc.nat(20_000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let now = 0
      let sent: { key: string; at: number }[] = []
      for (const { key, wait } of steps) {
        now += wait
        if (maySend(sent, key, now)) sent = [...sent, { key, at: now }]
      }
      for (const { at } of sent) {
        const minute = sent.filter((one) => one.at >= at && one.at < at + 60_000)
        expect(minute.length).toBeLessThanOrEqual(MAX_PER_MINUTE)
        expect(new Set(minute.map(({ key }) => key)).size).toBe(minute.length)
      }
    }),
  )
})

test.each([
  ['letters', 'x'],
  ['signs of three bytes', '\u6f22'],
])('shortens ten records with long stacks of %s to one report, and does not change short ones', (_, sign) => {
  const record: ClientError = {
    id: 'e1',
    type: 'javascript',
    message: sign.repeat(1000),
    stack: sign.repeat(5000),
    timestamp: 1,
    severity: 'low',
    autoFixed: false,
    userAgent: 'u'.repeat(200),
  }
  const context = { userAgent: 'u'.repeat(1000), timestamp: 1, url: `https://shop.example/${'p'.repeat(1500)}` }
  const errors = fitReport(Array<ClientError>(10).fill(record))
  expect(errors).toHaveLength(10)
  expect(errors.every(({ stack, message }) => stack.length >= 64 && message.length >= 100)).toBe(true)
  expect(Buffer.byteLength(JSON.stringify({ errors, context }))).toBeLessThanOrEqual(REPORT_BYTES)
  expect(fitReport([record, record].map((one) => ({ ...one, stack: 'short', message: 'x' })))[0]!.stack).toBe('short')
})

test.each([
  [{ reason: 'rejected' }, { thrown: 'rejected' }],
  [{ error: 7, message: 'Uncaught 7' }, { thrown: 7 }],
  [{ error: null, message: 'Script error.' }, { thrown: 'Script error.' }],
  [{ type: 'error' }, null],
])('reads the thrown value of %j as %j', (event, thrown) => expect(thrownIn(event)).toEqual(thrown))

test.each([
  [{ tagName: 'IMG', currentSrc: '/a.avif', src: '/a.webp' }, 'image', '/a.avif'],
  [{ tagName: 'IMG', currentSrc: '', src: '/a.webp' }, 'image', '/a.webp'],
  [{ tagName: 'SCRIPT', src: '/a.js' }, 'script', '/a.js'],
  [{ tagName: 'LINK', href: '/a.css' }, 'style sheet', '/a.css'],
  [{ tagName: 'VIDEO', src: '/a.mp4' }, '', ''],
  [null, '', ''],
])('describes the failed resource of %j as a %s at %s', (target, kind, url) =>
  expect(resourceOf(target)).toEqual({ kind, url }),
)
