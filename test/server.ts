import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ensureSchema } from '../sandbox/store.server.ts'
import { startEmbedded } from '../src/kit/embedded/embedded.server.ts'
import { migrate } from '../src/kit/schema/migrate.server.ts'

// One PostgreSQL for the whole run, with a migrated database that test files copy. TEST_DATABASE_URL selects another
// server; its user must be allowed to create databases.

declare module 'vitest' {
  interface ProvidedContext {
    databases: { makerUrl: string; ownerUrl: string; shopUrl: string; template: string }
  }
}

const PREFIX = 'primo-test-'

let finish = async () => {}

export async function setup(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL
  const server = given
    ? { superuserUrl: given, ownerUrl: given, url: given, stop: async () => {} }
    : await startTemporary()
  const template = `primo_template_${randomBytes(4).toString('hex')}`
  const maker = new pg.Client({ connectionString: server.superuserUrl })
  await maker.connect()
  const owner = new URL(server.ownerUrl).username
  await maker.query(`CREATE DATABASE ${template} OWNER ${maker.escapeIdentifier(decodeURIComponent(owner))}`)
  const templateUrl = onDatabase(server.ownerUrl, template)
  await addSandboxTables(templateUrl)
  await migrate(templateUrl, { shopUrl: server.url })
  // PostgreSQL copies a database only while nobody is connected, not even autovacuum
  await maker.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`)
  project.provide('databases', {
    makerUrl: server.superuserUrl,
    ownerUrl: server.ownerUrl,
    shopUrl: server.url,
    template,
  })
  finish = async () => {
    await maker.query(`DROP DATABASE ${template} WITH (FORCE)`)
    await maker.end()
    await server.stop()
  }
}

export function onDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Adds the tables once to the template, instead of to each copy that opens the sandbox. */
async function addSandboxTables(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await ensureSchema((text) => client.query(text))
  await client.end()
}

export const teardown = () => finish()

async function startTemporary() {
  await sweep()
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // as root, the user postgres needs access
  await chmod(dataDir, 0o755)
  // without autovacuum, the plans that tests read do not depend on the time at which statistics are collected
  const speed = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_wal_size: '1GB' }
  const settings = { ...speed, autovacuum: 'off' }
  const server = await startEmbedded({ dataDir, settings, say: () => {} })
  return {
    ...server,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Removes the folders of killed runs. Their servers stop by themselves within a minute. */
async function sweep() {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1])
    if (pid && !isRunning(pid)) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
