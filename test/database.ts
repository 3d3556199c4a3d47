import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { onDatabase } from './server.ts'

/** Creates a migrated, empty database. `url` connects as its owner, `shopUrl` as the shop. Drop it in `afterAll`. */
export async function createTestDatabase(): Promise<{ url: string; shopUrl: string; drop: () => Promise<void> }> {
  const { makerUrl, ownerUrl, shopUrl, template } = inject('databases')
  const owner = decodeURIComponent(new URL(ownerUrl).username)
  const name = `primo_test_${randomBytes(6).toString('hex')}`
  await onServer(makerUrl, (maker) =>
    // a copy of the files takes half the time of a copy by the WAL
    maker.query(
      `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${maker.escapeIdentifier(owner)} STRATEGY FILE_COPY`,
    ),
  )
  return {
    url: onDatabase(ownerUrl, name),
    shopUrl: onDatabase(shopUrl, name),
    drop: () =>
      onServer(makerUrl, async (maker) => {
        await waitUntilLeft(maker, name)
        await maker.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }),
  }
}

/** A pool reports its end before its connections are closed. Dropping the database then would raise errors. */
async function waitUntilLeft(maker: pg.Client, name: string) {
  for (let i = 0; i < 50; i++) {
    const { rowCount } = await maker.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
    if (rowCount === 0) return
    await pause(20)
  }
}

async function onServer(url: string, work: (maker: pg.Client) => Promise<unknown>) {
  const maker = new pg.Client({ connectionString: url })
  await maker.connect()
  try {
    await work(maker)
  } finally {
    await maker.end()
  }
}
