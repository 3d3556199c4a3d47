import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CLOUD_CLIENT, type Clouds, signInAt, startClouds } from '../../../sandbox/clouds/clouds.ts'
import { openTestShop, type Person, type TestShop } from '../../../test/shop.ts'

const MB = 1024 * 1024
const FILES = [
  {
    id: 'book-1',
    name: 'Book.pdf',
    type: 'application/pdf',
    bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(300_000), Buffer.from('\n%%EOF\n')]),
  },
  { id: 'large-1', name: 'film.bin', type: 'application/octet-stream', bytes: randomBytes(3 * MB) },
  { id: 'fake-1', name: 'Photo.png', type: 'image/png', bytes: Buffer.from('<script>alert(1)</script>') },
]

let shop: TestShop
let clouds: Clouds
let ada: Person
let bob: Person

beforeAll(async () => {
  clouds = await startClouds(FILES)
  shop = await openTestShop({
    MAX_DIGITAL_FILE_MB: '2',
    COMPANION_DRIVE_KEY: CLOUD_CLIENT.key,
    COMPANION_DRIVE_SECRET: CLOUD_CLIENT.secret,
    COMPANION_DROPBOX_KEY: CLOUD_CLIENT.key,
    COMPANION_DROPBOX_SECRET: CLOUD_CLIENT.secret,
  })
  ada = await shop.join()
  bob = await shop.join()
})
// Companion writes its log to the console
beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
afterAll(async () => {
  await shop?.close()
  await clouds?.stop()
})

const ask = (path: string, { cookie }: { cookie: string }, options: RequestInit = {}) =>
  fetch(path.startsWith('http') ? path : shop.url + path, {
    redirect: 'manual',
    ...options,
    headers: { cookie, ...(options.headers as Record<string, string>) },
  })

/** Signs in at a cloud as a browser does; answers the page that the pop-up window ends with. */
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

const get = (source: string, id: string, person: Person, token: string, kind = 'file') =>
  ask(`/companion/${source}/get/${encodeURIComponent(id)}`, person, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'uppy-auth-token': token },
    body: JSON.stringify({ kind, name: FILES.find((file) => file.id === id)?.name ?? id, type: null }),
  })

type Message = { action: string; payload: { url?: string; error?: { status: number; message: string } } }

const openSocket = (token: string, headers: Record<string, string>) =>
  new WebSocket(`${shop.url.replace('http', 'ws')}/companion/api/${token}`, { headers } as never)

/** Follows an import to its end. */
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
const importFile = async (source: string, id: string, person: Person, token: string, kind?: string) => {
  const answer = await get(source, id, person, token, kind)
  return follow(((await answer.json()) as { token: string }).token, person)
}

test.each(['drive', 'dropbox'])(
  'imports a file of %s as an upload of the member who signed in there',
  async (source) => {
    const token = await tokenOf(source, ada)
    const list = await ask(`/companion/${source}/list/`, ada, { headers: { 'uppy-auth-token': token } })
    const { items } = (await list.json()) as { items: { name: string; icon: string; thumbnail: null }[] }
    expect(items.map(({ name, icon, thumbnail }) => ({ name, icon, thumbnail }))).toContainEqual({
      ...{ name: 'Book.pdf', icon: 'file', thumbnail: null },
    })
    const { action, payload } = await importFile(source, 'book-1', ada, token)
    expect([action, payload.url]).toEqual(['success', expect.stringContaining(`${shop.url}/objects/`)])
    const row = await shop.database.db
      .selectFrom('objects')
      .selectAll()
      .where('id', '=', payload.url!.split('/').at(-1)!)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      ...{ userId: ada.id, status: 'stored', fileName: 'Book.pdf', sizeBytes: FILES[0]!.bytes.length },
      sha256: createHash('sha256').update(FILES[0]!.bytes).digest('hex'),
    })
    expect((await ask(payload.url!, ada)).status).toBe(200)
    expect((await ask(payload.url!, bob)).status).toBe(404)
  },
)

test('hands the token of a cloud to the page of the shop alone, and to no address', async () => {
  const { page } = await connect('drive', ada)
  const html = await page.text()
  expect([page.status, page.headers.get('location')]).toEqual([200, null])
  expect(html).toContain('setTimeout(() => window.close(), 500)')
  expect(html).toContain(`var origin = "${shop.url.replaceAll('/', String.raw`\u002F`)}"`)
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; /)
  expect(page.headers.get('set-cookie')).toContain('primo-cloud=; Path=/companion; HttpOnly; SameSite=Lax; Max-Age=0')
})

test('tells the page when the member refuses, and when the answer belongs to another sign-in', async () => {
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
  // the cookie of a sign-in opens for its account only
  expect(await comeBack(one.back, one, bob)).toBe(400)
  expect(await comeBack(one.back, one, ada)).toBe(200)
})

test('refuses files as other uploads are refused, says why, and leaves nothing', async () => {
  const token = await tokenOf('drive', ada)
  const before = await shop.database.db.selectFrom('objects').select('id').execute()
  const refused = async (id: string, kind?: string) => (await importFile('drive', id, ada, token, kind)).payload.error
  expect(await refused('large-1')).toEqual({ status: 413, message: 'The file is larger than 2 MB.' })
  expect((await refused('fake-1', 'image'))?.status).toBe(415)
  await shop.asOwner(`INSERT INTO upload_turns (user_id, until)
    SELECT '${ada.id}', now() + interval '30 s' FROM generate_series(1, 3)`)
  expect(await refused('book-1')).toEqual({
    ...{ status: 429, message: 'At most three uploads at once. Please wait for one to finish.' },
  })
  await shop.asOwner('DELETE FROM upload_turns')
  expect(await shop.database.db.selectFrom('objects').select('id').execute()).toHaveLength(before.length)
})

test('answers only members, on the routes and on the websocket of their own imports', async () => {
  const token = await tokenOf('drive', ada)
  for (const path of ['connect', 'redirect?code=1', 'list/', 'logout'])
    expect((await ask(`/companion/drive/${path}`, { cookie: '' })).status, path).toBe(401)
  expect((await ask('/companion/drive/list/', ada, { headers: { 'uppy-auth-token': 'made up' } })).status).toBe(401)
  for (const path of ['onedrive/connect', 'connect/googledrive', 'url/meta', 'box/connect'])
    expect((await ask(`/companion/${path}`, ada)).status, path).toBe(404)
  const foreign = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' }
  expect((await ask('/companion/drive/get/book-1', ada, { method: 'POST', body: '{}', headers: foreign })).status).toBe(
    403,
  )

  const { token: upload } = (await (await get('drive', 'book-1', ada, token)).json()) as { token: string }
  const isOpened = (headers: Record<string, string>) =>
    new Promise<boolean>((done) => {
      const socket = openSocket(upload, headers)
      socket.onopen = () => (socket.close(), done(true))
      socket.onerror = () => done(false)
    })
  expect(await isOpened({ origin: shop.url })).toBe(false)
  expect(await isOpened({ origin: shop.url, cookie: bob.cookie })).toBe(false)
  expect(await isOpened({ origin: 'https://other.example', cookie: ada.cookie })).toBe(false)
  expect((await follow(upload, ada)).action).toBe('success')
})
