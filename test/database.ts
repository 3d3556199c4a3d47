import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import './server.ts'

/** A migrated, empty database of one's own; a test file makes one in `beforeAll` and drops it in `afterAll`. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const { makerUrl, ownerUrl, template } = inject('databases')
  const owner = decodeURIComponent(new URL(ownerUrl).username)
  const name = `primo_test_${randomBytes(6).toString('hex')}`
  await onServer(makerUrl, (maker) =>
    maker.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${maker.escapeIdentifier(owner)}`),
  )
  const url = new URL(ownerUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => onServer(makerUrl, (maker) => maker.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
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
