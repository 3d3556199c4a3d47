import { expect, onTestFinished, test } from 'vitest'
import type { Answer, Page } from '../../kit/handle.server.ts'
import { setLogLevel } from '../../kit/log/log.server.ts'
import { fail, type Finding, ok } from '../../kit/health/finding.rules.ts'
import { healthRoutes } from './health.server.ts'
import { openProbes } from './probes.server.ts'

setLogLevel('silent')

function open(mail: () => Promise<Finding> | Finding, isUp = true) {
  const probes = openProbes([
    { name: 'database', look: () => (isUp ? ok('database', 'answers') : fail('database', 'away', 'start it')) },
    { name: 'mail', look: mail },
  ])
  onTestFinished(() => probes.stop())
  const query = () => (isUp ? Promise.resolve({ rows: [] }) : Promise.reject(new Error('away')))
  const routes = healthRoutes({ pool: { query } } as never, probes)
  return async (line: string) => {
    const route = routes.find((each) => 'line' in each && each.line === line) as {
      run: (page: Page) => Promise<Answer>
    }
    const { status, headers, body } = await route.run({} as Page)
    return { status, headers, body: JSON.parse(body as string) as unknown }
  }
}

test('reports a node as ready with every part from the first request on', async () => {
  const ask = open(() => fail('mail', 'away', 'start it'))
  expect(await ask('GET /readyz')).toMatchObject({
    status: 200,
    body: { status: 'ready', database: 'ok', mail: 'fail' },
  })
})

test('responds while a part hangs', async () => {
  const ask = open(() => new Promise(() => undefined))
  expect(await ask('GET /readyz')).toMatchObject({ status: 200, body: { status: 'ready', database: 'ok' } })
})

test('reports a node without its database as alive but not ready, with a retry time', async () => {
  const ask = open(() => ok('mail', 'fine'), false)
  expect((await ask('GET /healthz')).status).toBe(200)
  expect(await ask('GET /readyz')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    body: { status: 'not ready', database: 'does not answer', mail: 'ok' },
  })
})
