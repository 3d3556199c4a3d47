import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CLOUD_CLIENT, type Clouds, signInAt, startClouds } from '../../../sandbox/clouds/clouds.ts'
import { openTestShop, type Person, type TestShop } from '../../../test/shop.ts'
import { openStore, type Store } from '../../../test/stores.ts'

const MB = 1024 * 1024
const FILES = [
  {
    id: 'book-1',
    name: 'Book.pdf',
    type: 'application/pdf',
    bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(300_000), Buffer.from('\n%%EOF\n')]),
  },
  // needs two pieces in a bucket
  { id: 'film-1', name: 'film.bin', type: 'application/octet-stream', bytes: randomBytes(6 * MB) },
  { id: 'large-1', name: 'series.bin', type: 'application/octet-stream', bytes: randomBytes(8 * MB) },
  { id: 'fake-1', name: 'Photo.png', type: 'image/png', bytes: Buffer.from('<script>alert(1)</script>') },
]

const CREDENTIALS = Object.fromEntries(
  ['DRIVE', 'DROPBOX', 'ONEDRIVE'].flatMap((cloud) => [
    [`COMPANION_${cloud}_KEY`, CLOUD_CLIENT.key],
    [`COMPANION_${cloud}_SECRET`, CLOUD_CLIENT.secret],
  ]),
) as Record<string, string>

let clouds: Clouds
let store: Store
let shop: TestShop
let ada: Person
let bob: Person

// a process starts Companion once, so these imports use a bucket; e2e/uploaderTable.spec.ts tests both stores
beforeAll(async () => {
  clouds = await startClouds(FILES)
  store = await openStore('s3')
  const { endpoint, region, bucket, key, secret } = store.s3!
  shop = await openTestShop({
    MAX_DIGITAL_FILE_MB: '7',
    UPLOAD_MB_PER_DAY: '40',
    ...CREDENTIALS,
    ...{ S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket, S3_KEY: key, S3_SECRET: secret },
    S3_FORCE_PATH_STYLE: '1',
  })
  ada = await shop.join()
  bob = await shop.join()
})
afterAll(async () => {
  await shop?.close()
  await store?.stop()
  await clouds?.stop()
})
// silences the log of Companion
beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())

const ask = (path: string, { cookie }: { cookie: string }, options: RequestInit = {}) =>
  fetch(path.startsWith('http') ? path : shop.url + path, {
    redirect: 'manual',
    ...options,
    headers: { cookie, ...(options.headers as Record<string, string>) },
  })

/** Signs in at a cloud like a browser and returns the last page of the pop-up window. */
async function connect(source: string, person: Person, choice?: 'deny') {
  const start = await ask(`/companion/${source}/connect`, person)
  const cookie = start.headers.get('set-cookie')!.split(';')[0]!
  const back = signInAt(start.headers.get('location')!, choice)
  return { page: await ask(back, { cookie: `${person.cookie}; ${cookie}` }) }
}
async function tokenOf(source: string, person: Person) {
  const { page } = await connect(source, person)
  return /"token":"([^"]+)"/.exec(await page.text())![1]!
}

type Item = { name: string; icon: string; thumbnail: null; requestPath: string }

async function list(source: string, person: Person, token: string): Promise<Item[]> {
  const answer = await ask(`/companion/${source}/list/`, person, { headers: { 'uppy-auth-token': token } })
  return ((await answer.json()) as { items: Item[] }).items
}

async function get(source: string, name: string, person: Person, token: string, kind = 'file') {
  const { requestPath } = (await list(source, person, token)).find((item) => item.name === name)!
  return ask(`/companion/${source}/get/${requestPath}`, person, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'uppy-auth-token': token },
    body: JSON.stringify({ kind, name, type: null }),
  })
}

type Message = { action: string; payload: { url?: string; error?: { status: number; message: string } } }

const openSocket = (token: string, headers: Record<string, string>) =>
  new WebSocket(`${shop.url.replace('http', 'ws')}/companion/api/${token}`, { headers } as never)

async function follow(token: string, person: Person): Promise<Message> {
  const socket = openSocket(token, { cookie: person.cookie, origin: shop.url })
  for (;;) {
    const [event] = (await once(socket, 'message')) as [{ data: string }]
    const message = JSON.parse(event.data) as Message
    if (message.action === 'progress') continue
    socket.close()
    return message
  }
}
const importFile = async (source: string, name: string, person: Person, token: string, kind?: string) => {
  const answer = await get(source, name, person, token, kind)
  return follow(((await answer.json()) as { token: string }).token, person)
}

test('removes the import files of a killed node', async () => {
  const left = join(tmpdir(), 'primo-companion-999999999-abc')
  await mkdir(left, { recursive: true })
  await tokenOf('drive', ada)
  expect(existsSync(left)).toBe(false)
})

test.each(['drive', 'dropbox', 'onedrive'])(
  'imports a file from %s as an upload of the signed-in member',
  async (source) => {
    const token = await tokenOf(source, ada)
    const items = await list(source, ada, token)
    expect(items.map(({ name, icon, thumbnail }) => ({ name, icon, thumbnail }))).toContainEqual({
      ...{ name: 'Book.pdf', icon: 'file', thumbnail: null },
    })
    for (const { name, bytes } of FILES.slice(0, 2)) {
      const { action, payload } = await importFile(source, name, ada, token)
      expect([action, payload.url]).toEqual(['success', expect.stringContaining(`${shop.url}/objects/`)])
      const row = await shop.database.db
        .selectFrom('objects')
        .selectAll()
        .where('id', '=', payload.url!.split('/').at(-1)!)
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({
        ...{ userId: ada.id, status: 'stored', fileName: name, sizeBytes: bytes.length, announcedBytes: bytes.length },
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
      const own = await ask(payload.url!, ada, { redirect: 'follow' })
      expect(Buffer.from(await own.arrayBuffer()).equals(bytes)).toBe(true)
      expect((await ask(payload.url!, bob)).status).toBe(404)
      expect(store.s3!.store.objects.get(row.id)?.sizeBytes).toBe(bytes.length)
    }
  },
)

test('rejects the same files as other uploads with a reason and stores nothing', async () => {
  const token = await tokenOf('drive', bob)
  const before = [...store.s3!.store.objects.keys()]
  const refused = async (name: string, kind?: string) =>
    (await importFile('drive', name, bob, token, kind)).payload.error
  expect(await refused('series.bin')).toEqual({ status: 413, message: 'The file is larger than 7 MB.' })
  expect((await refused('Photo.png', 'image'))?.status).toBe(415)
  await shop.asOwner(`INSERT INTO upload_turns (user_id, until)
    SELECT '${bob.id}', now() + interval '30 s' FROM generate_series(1, 3)`)
  expect(await refused('Book.pdf')).toEqual({
    ...{ status: 429, message: 'At most three uploads at once. Please wait for one to finish.' },
  })
  await shop.asOwner('DELETE FROM upload_turns')
  const ownOf = () => shop.database.db.selectFrom('objects').select('id').where('userId', '=', bob.id).execute()
  expect(await ownOf()).toEqual([])
  await shop.asOwner(`INSERT INTO objects (user_id, announced_bytes, expires_at)
    SELECT '${bob.id}', ${38 * MB}, now() + interval '1 hour'`)
  expect(await refused('film.bin')).toEqual({
    ...{ status: 429, message: 'You can upload 40 MB within a day. Please try again tomorrow.' },
  })
  expect(await ownOf()).toHaveLength(1)
  expect([...store.s3!.store.objects.keys()]).toEqual(before)
  expect(store.s3!.store.uploads.size).toBe(0)
})

test('sends a cloud’s token only to the shop’s page, never in a URL', async () => {
  const { page } = await connect('drive', ada)
  const html = await page.text()
  expect([page.status, page.headers.get('location')]).toEqual([200, null])
  expect(html).toContain('setTimeout(() => window.close(), 500)')
  expect(html).toContain(`var origin = "${shop.url.replaceAll('/', String.raw`\u002F`)}"`)
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; /)
  expect(page.headers.get('set-cookie')).toContain('primo-cloud=; Path=/companion; HttpOnly; SameSite=Lax; Max-Age=0')
})

test('reports when the member declines or the reply belongs to another sign-in', async () => {
  const { page } = await connect('drive', ada, 'deny')
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('{"error":true}')])
  const begin = async () => {
    const start = await ask('/companion/drive/connect', ada)
    const cookie = start.headers.get('set-cookie')!.split(';')[0]!
    return { cookie, back: signInAt(start.headers.get('location')!) }
  }
  const [one, other] = [await begin(), await begin()]
  const comeBack = async (back: string, { cookie }: { cookie: string }, person: Person) =>
    (await ask(back, { cookie: `${person.cookie}; ${cookie}` })).status
  expect(await comeBack(other.back, one, ada)).toBe(400)
  // the sign-in cookie is valid for its account only
  expect(await comeBack(one.back, one, bob)).toBe(400)
  expect(await comeBack(one.back, one, ada)).toBe(200)
})

test('rejects paths that leave their route on the way to Companion', async () => {
  for (const path of ['list/%2e%2e/connect', 'list/..%2F/../connect', 'list/%2E%2E/%2e%2e/webdav/list/'])
    await expect(statusOf(`/companion/drive/${path}`, ada)).resolves.toBe(404)
})

/** Returns the status of a GET with an unresolved path, because fetch would resolve its dots. */
async function statusOf(path: string, { cookie }: Person) {
  const asked = request(shop.url, { path, headers: { cookie } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test('serves only members, on the routes and the websocket of their own imports', async () => {
  const token = await tokenOf('drive', ada)
  for (const path of ['connect', 'redirect?code=1', 'list/', 'logout'])
    expect((await ask(`/companion/drive/${path}`, { cookie: '' })).status, path).toBe(401)
  expect((await ask('/companion/drive/list/', ada, { headers: { 'uppy-auth-token': 'made up' } })).status).toBe(401)
  for (const path of ['connect/googledrive', 'url/meta', 'box/connect'])
    expect((await ask(`/companion/${path}`, ada)).status, path).toBe(404)
  const foreign = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' }
  expect((await ask('/companion/drive/get/book-1', ada, { method: 'POST', body: '{}', headers: foreign })).status).toBe(
    403,
  )

  const { token: upload } = (await (await get('drive', 'Book.pdf', ada, token)).json()) as { token: string }
  const isOpened = (headers: Record<string, string>, of = upload) =>
    new Promise<boolean>((done) => {
      const socket = openSocket(of, headers)
      socket.onopen = () => (socket.close(), done(true))
      socket.onerror = () => done(false)
    })
  expect(await isOpened({ origin: shop.url })).toBe(false)
  // the node of the import is gone, so the browser offers to start again
  expect(await isOpened({ origin: shop.url, cookie: ada.cookie }, randomUUID())).toBe(false)
  expect(await isOpened({ origin: shop.url, cookie: bob.cookie })).toBe(false)
  expect(await isOpened({ origin: 'https://other.example', cookie: ada.cookie })).toBe(false)
  expect((await follow(upload, ada)).action).toBe('success')
})
