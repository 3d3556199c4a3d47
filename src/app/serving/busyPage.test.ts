import { expect, onTestFinished, test } from 'vitest'
import { createByteCache } from '../../kit/serve/cache.server.ts'
import type { Database } from '../../kit/database.server.ts'
import { createLimiter } from '../../kit/serve/limit.server.ts'
import { setLogLevel } from '../../kit/log/log.server.ts'
import { serve } from '../../kit/serve/serve.server.ts'
import { createBusyPage } from './busyPage.server.ts'

const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

async function open() {
  setLogLevel('silent')
  const server = await serve({
    routes: [],
    database: {} as Database,
    cache: createByteCache({ listen: async () => undefined, isUp: () => true, close: async () => undefined }),
    limiter: createLimiter({ scale: 0 }),
    identify: () => Promise.reject(away),
    fallback: async () => ({ status: 200 }),
    busyPage: createBusyPage({ storeName: '$$ Ada & Sons', isTls: false }),
    publicUrl: undefined,
    isProxyTrusted: false,
    host: '127.0.0.1',
    port: 0,
  })
  onTestFinished(() => server.close({ withinMs: 0 }))
  return (path: string, accept: string, method = 'GET') =>
    fetch(`http://localhost:${server.port}${path}`, { method, headers: { accept, cookie: 'primo=x' } })
}

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.each(['/', '/orders', '/orders?page=2', '/nothing-such', '/api/login/password'])(
  'while the database is down, %s is a page that explains the outage',
  async (path) => {
    const answer = await (await open())(path, BROWSER)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/)
    const text = await answer.text()
    expect(text).toContain('<a href="">Try again</a>')
    expect(text).toContain('$$ Ada &amp; Sons')
    expect(text).not.toContain('ECONNREFUSED')
  },
)

test.each([
  ['/api/orders', BROWSER, 'GET'],
  ['/orders', 'application/json', 'GET'],
  ['/orders', '*/*', 'GET'],
])('answers other requests than pages with JSON: %s for %s', async (path, accept, method) => {
  const answer = await (await open())(path, accept, method)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await answer.json()).toMatchObject({ code: 'unavailable' })
})
