import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../kit/database.server.ts'
import { type Answer, handle, handleRaw, type Route } from '../../kit/handle.server.ts'
import type { Probes } from './probes.server.ts'
import { commit, version } from '../release.server.ts'
import { getStatus, getStatusDetails } from './status.contract.ts'

const FIRST_LOOK_MS = 500

const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

export function healthRoutes({ pool }: Database, probes: Probes): Route[] {
  return [
    handleRaw(
      'GET /healthz',
      { access: 'public', about: 'Whether the process is alive.', knowsCaller: false },
      async () => json(200, { status: 'ok' }),
    ),

    handleRaw(
      'GET /readyz',
      {
        access: 'public',
        knowsCaller: false,
        about: 'Whether this node can serve: the database answers. Other parts show their last result.',
      },
      async () => {
        // a new node has no results yet, so it waits briefly for the first ones
        if (probes.seen().length === 0) await Promise.race([probes.look(), pause(FIRST_LOOK_MS, null, { ref: false })])
        // only the database takes a node out of service, because all nodes share the other parts
        const others = probes.seen().filter(({ about }) => about !== 'database')
        const parts = Object.fromEntries(others.map(({ about, grade }) => [about, grade]))
        try {
          await pool.query('SELECT 1')
          return json(200, { status: 'ready', database: 'ok', ...parts })
        } catch {
          return json(503, { status: 'not ready', database: 'does not answer', ...parts }, { 'retry-after': '2' })
        }
      },
    ),

    handleRaw('GET /version', { access: 'public', about: 'The version that runs.', isFromBrowser: false }, async () =>
      json(200, { version, ...(commit && { commit }) }),
    ),

    // raw, so that it responds while the database, and so every session, is unavailable
    handleRaw(getStatus.line, { ...getStatus, knowsCaller: false }, async () =>
      json(
        200,
        (await probes.look()).map(({ about, grade }) => ({ name: about, grade })),
      ),
    ),

    handle(getStatusDetails, async () =>
      (await probes.look()).map(({ about, grade, says, mend }) => ({ name: about, grade, says, mend: mend ?? null })),
    ),
  ]
}
