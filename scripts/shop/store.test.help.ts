import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openShop, type Shop } from '../../src/app/shop.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import { readConfig } from '../../src/app/settings.server.ts'
import { setLogLevel } from '../../src/kit/log/log.server.ts'
import { listTables, readChunks } from './backup.rows.ts'
import { withClient } from './connection.ts'
import { terminal } from './run.test.help.ts'

/** Makes a database and a data folder and removes both after the test. `open` starts a shop on them. */
export async function makeStore(more: Record<string, string> = {}) {
  setLogLevel('silent')
  const { url, shopUrl, drop } = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'primo-command-'))
  const addresses = { DATABASE_URL: shopUrl, MIGRATE_DATABASE_URL: url }
  const env = { NODE_ENV: 'test', PORT: '0', RATE_LIMIT_SCALE: '0', ...addresses, DATA_DIR: dataDir, ...more }
  let shop: Shop | null = null

  async function open({ hasJobs = false } = {}): Promise<Shop> {
    const config = readConfig(env)
    shop = await openShop({ config, databaseUrl: config.databaseUrl!, secret: readSecret(config), hasJobs })
    return shop
  }
  async function close() {
    await shop?.close()
    shop = null
  }
  onTestFinished(async () => {
    await close()
    // Dropping the database while a connection closes raises an unhandled error.
    await vi.waitFor(() => withClient(url, expectAlone), { timeout: 20_000 })
    await drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { url, dataDir, env, run: terminal(env), open, close, read: () => readStore(url, dataDir) }
}

async function expectAlone(client: pg.Client) {
  const { rows } = await client.query(
    `SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  )
  expect(rows).toEqual([])
}

/** Reads every row of every table and the hash of every file. */
async function readStore(url: string, dataDir: string) {
  const tables = await withClient(url, async (client) => {
    const found: Record<string, string[]> = {}
    await client.query('BEGIN')
    for (const table of await listTables(client)) {
      const lines: string[] = []
      for await (const chunk of readChunks(client, table)) lines.push(...chunk)
      found[table.name] = lines.sort()
    }
    return found
  })
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(dataDir.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')])
  return { tables, files: Object.fromEntries(files.sort()) as Record<string, string> }
}
