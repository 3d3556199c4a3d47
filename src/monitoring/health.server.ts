import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../kit/database.server.ts'
import { type Answer, handleRaw } from '../kit/handle.server.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

/** Alive, ready and which version: for load balancers and people on call. */
export function healthRoutes({ pool }: Database) {
  return [
    handleRaw('GET /healthz', { access: 'public', about: 'Whether the process is alive.' }, async () =>
      json(200, { status: 'ok' }),
    ),
    handleRaw('GET /readyz', { access: 'public', about: 'Whether the database answers.' }, async () => {
      try {
        await pool.query('SELECT 1')
        return json(200, { status: 'ready', database: 'ok' })
      } catch {
        return {
          ...json(503, { status: 'not ready', database: 'does not answer' }),
          headers: { 'content-type': 'application/json; charset=utf-8', 'retry-after': '2' },
        }
      }
    }),
    handleRaw('GET /version', { access: 'public', about: 'The version that runs.' }, async () =>
      json(200, { version }),
    ),
  ]
}
