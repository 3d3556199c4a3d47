import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from './database.ts'
import { openBus } from '../src/kit/bus.server.ts'
import { createByteCache } from '../src/kit/serve/cache.server.ts'
import { openDatabase } from '../src/kit/database.server.ts'
import type { Route, User } from '../src/kit/handle.server.ts'
import { createLimiter } from '../src/kit/serve/limit.server.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import { serve } from '../src/kit/serve/serve.server.ts'
import { openDiskStorage } from '../src/uploads/disk/storage.disk.server.ts'
import type { Storage } from '../src/uploads/storage.server.ts'

// Serves some routes of the store with a real database. A cookie identifies the caller instead of a session.

const identify = async (cookie: string | undefined): Promise<User | null> => {
  const [, id, role] = /\bas=([0-9a-f-]{36})(-admin)?/.exec(cookie ?? '') ?? []
  return id
    ? { id, email: 'someone@example.com', role: role === undefined ? ('member' as const) : ('admin' as const) }
    : null
}

export type Served = Awaited<ReturnType<typeof startServed>>
export type Person = { id: string; cookie: string }

export async function startServed(
  routesOf: (storage: Storage) => Route[],
  {
    limitScale = 0,
    folder = '',
    idleMs = 30_000,
    open = openDiskStorage,
  }: { limitScale?: number; folder?: string; idleMs?: number; open?: (dir: string) => Storage } = {},
) {
  setLogLevel('error')
  const test = await createTestDatabase()
  const dir = folder || (await mkdtemp(join(tmpdir(), 'primo-uploads-')))
  const storage = open(dir)
  const nodes = [await startNode(), await startNode()] as const

  async function startNode() {
    const database = openDatabase(test.url, { size: 8 })
    const bus = await openBus(test.url)
    const server = await serve({
      routes: routesOf(storage),
      database,
      cache: createByteCache(bus),
      limiter: createLimiter({ scale: limitScale }),
      identify,
      isVerified: async (cookie) => cookie?.includes('proven') ?? false,
      isWorking: async (cookie) => cookie?.includes('proven') ?? false,
      fallback: async () => ({ status: 404, body: 'Not found' }),
      publicUrl: undefined,
      isProxyTrusted: false,
      host: '127.0.0.1',
      port: 0,
      idleMs,
    })
    return { database, bus, server }
  }
  const { database, server } = nodes[0]

  async function addPerson(names: { firstName?: string; lastName?: string; isAdmin?: boolean } = {}): Promise<Person> {
    const id = randomUUID()
    const { firstName = null, lastName = null, isAdmin = false } = names
    await database.db
      .insertInto('users')
      .values({ id, email: `${id}@example.com`, firstName, lastName })
      .execute()
    return { id, cookie: `as=${id}${isAdmin ? '-admin' : ''}` }
  }

  return {
    ...database,
    storage,
    dir,
    url: server.url,
    /** The address of a second server on the same database. */
    otherUrl: nodes[1].server.url,
    addPerson,
    /** Returns every file in the store, temporary ones included. */
    files: async () => (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
    stop: async () => {
      for (const node of nodes) {
        await node.server.close()
        await node.bus.close()
        await node.database.db.destroy()
      }
      await test.drop()
      if (!folder) await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Requests an upload URL as this person and uploads the bytes. Returns the URL. */
export async function upload(
  { url }: Pick<Served, 'url'>,
  person: Person,
  bytes: Uint8Array,
  name?: string,
): Promise<string> {
  const uploadURL = await issue({ url }, person)
  const put = await fetch(uploadURL, {
    method: 'PUT',
    body: Buffer.from(bytes),
    headers: name === undefined ? {} : { 'x-file-name': encodeURIComponent(name) },
  })
  if (!put.ok) throw new Error(`${put.status} ${await put.text()}`)
  return uploadURL
}

export async function issue({ url }: Pick<Served, 'url'>, { cookie }: Person): Promise<string> {
  const response = await fetch(`${url}/api/objects/upload`, { method: 'POST', headers: { cookie } })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return ((await response.json()) as { uploadURL: string }).uploadURL
}
