import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, type Served, startServed } from '../../test/served.ts'
import { uploadRoutes } from './uploads.server.ts'

// In these tests 127.0.0.1 counts as public Internet, and other addresses such as 127.0.0.2 as internal.

const MAX = 256 * 1024
const bytes = randomBytes(100_000)
const asked: string[] = []
let shop: Served
let ada: Person
let outside: Server
let inside: Server

const answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  '/guide.bin': (response) =>
    response.writeHead(200, { 'content-length': bytes.length, 'content-type': 'text/html; charset=x' }).end(bytes),
  '/named': (response) =>
    response.writeHead(200, { 'content-disposition': "attachment; filename*=UTF-8''..%2F%C3%9Cber.bin" }).end(bytes),
  '/moved': (response) => response.writeHead(302, { location: '/guide.bin' }).end(),
  '/inside': (response) => response.writeHead(302, { location: urlOf(inside, '/secret', '127.0.0.2') }).end(),
  '/file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/loop': (response) => response.writeHead(307, { location: '/loop' }).end(),
  '/missing': (response) => response.writeHead(404).end(),
  '/announced': (response) => response.writeHead(200, { 'content-length': MAX + 1 }).end(),
  '/endless': (response) => {
    const more = () => !response.destroyed && response.write(Buffer.alloc(64 * 1024), more)
    more()
  },
  '/half': (response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('half', () => response.destroy())
  },
  '/packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
  '/slow': (response) => void response.writeHead(200, { 'content-length': 10 }).write('abc'),
  '/unsized': (response) => void response.writeHead(200).write('abc'),
  '/swept': async (response) => {
    response.writeHead(200, { 'content-length': 6 }).write('abc')
    const swept = () => shop.db.deleteFrom('objects').where('status', '=', 'issued').returning('id').execute()
    while ((await swept()).length === 0) await sleep(10)
    response.end('def')
  },
  '/text.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('This is text.'),
  '/true.png': async (response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(
      await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2740b5' } })
        .png()
        .toBuffer(),
    ),
}

const listen = async (host: string) => {
  const server = createServer((request, response) => {
    asked.push(`${host}${request.url}`)
    const answer = answers[request.url!]
    if (answer) answer(response, request)
    else response.end('what nobody outside may see')
  })
  await once(server.listen(0, host), 'listening')
  return server
}
const urlOf = (server: Server, path: string, host = '127.0.0.1') =>
  `http://${host}:${(server.address() as AddressInfo).port}${path}`

beforeAll(async () => {
  outside = await listen('127.0.0.1')
  inside = await listen('127.0.0.2')
  const reach = { isAllowed: (address: string) => address === '127.0.0.1', isPort: () => true }
  shop = await startServed((storage) =>
    uploadRoutes({ storage, secret: 's'.repeat(32), config: { maxFileBytes: MAX }, publicUrl: undefined, reach }),
  )
  ada = await shop.addPerson()
})
afterAll(async () => {
  for (const server of [outside, inside]) {
    server.closeAllConnections()
    server.close()
  }
  await shop.stop()
})
beforeEach(() => void asked.splice(0))

const post = (path: string, body: object, headers: Record<string, string> = { cookie: ada.cookie }) =>
  fetch(`${shop.url}/api/objects/url/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
type Line = { bytesUploaded?: number; uploadURL?: string; status?: number; message?: string }
const linesOf = async (response: Response) =>
  (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const rows = () => shop.db.selectFrom('objects').selectAll().where('userId', '=', ada.id).execute()

test('stores a file from a public URL as an upload of the member with name, size and hash', async () => {
  const meta = await post('meta', { url: urlOf(outside, '/guide.bin') })
  expect(await meta.json()).toEqual({ name: 'guide.bin', type: 'text/html', size: bytes.length })
  const answer = await post('get', { url: urlOf(outside, '/named'), kind: 'file' })
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const last = (await linesOf(answer)).at(-1)!
  expect(last.bytesUploaded).toBe(bytes.length)
  const id = /^http:\/\/localhost:\d+\/objects\/([0-9a-f-]{36})$/.exec(last.uploadURL!)![1]!
  expect((await rows()).find((row) => row.id === id)).toMatchObject({
    status: 'stored',
    fileName: 'Über.bin',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  const { stream } = await shop.storage.open(id)
  expect(Buffer.concat(await stream.toArray())).toEqual(bytes)
})

test('follows a redirect to another public address', async () => {
  expect(await (await post('meta', { url: urlOf(outside, '/moved') })).json()).toMatchObject({ name: 'guide.bin' })
})

const INCORRECT = 'Incorrect URL: Please make sure you are entering a direct link to a file'
const NOT_PUBLIC = 'This address doesn’t lead to a public server.'
test.each([
  ['an internal address', () => urlOf(inside, '/secret', '127.0.0.2'), NOT_PUBLIC],
  ['a redirect to an internal address', () => urlOf(outside, '/inside'), NOT_PUBLIC],
  ['an internal IPv6 address', () => 'http://[::1]/', NOT_PUBLIC],
  ['an IPv4 address in IPv6 form', () => 'http://[::ffff:127.0.0.2]/', NOT_PUBLIC],
  ['the metadata server of the cloud', () => 'http://169.254.169.254/latest/meta-data/', NOT_PUBLIC],
  ['an address as a decimal number', () => 'http://2130706434/', NOT_PUBLIC],
  ['a file URL', () => 'file:///etc/passwd', INCORRECT],
  ['a redirect to a file URL', () => urlOf(outside, '/file'), INCORRECT],
  ['a URL with a password', () => urlOf(outside, '/guide.bin').replace('//', '//ada:secret@'), INCORRECT],
  ['a text that is no URL', () => 'guide', INCORRECT],
  ['an endless redirect', () => urlOf(outside, '/loop'), 'The other server redirects too many times.'],
  ['a missing page', () => urlOf(outside, '/missing'), 'The other server answered 404.'],
  ['an unreachable server', () => 'http://127.0.0.1:1/', 'The other server didn’t respond.'],
])('rejects %s with a reason and sends no internal request', async (_, url, message) => {
  for (const path of ['meta', 'get']) {
    const answer = await post(path, { url: url(), ...(path === 'get' && { kind: 'file' }) })
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as Line).message).toMatch(message)
  }
  expect(asked.filter((path) => path.startsWith('127.0.0.2'))).toEqual([])
})

test.each([
  ['an announced size over the limit', '/announced', 413, 'The file is larger than 0 MB.'],
  ['an endless file', '/endless', 413, 'The file is larger than 0 MB.'],
  ['half of a file', '/half', 400, /interrupted|stopped/],
  ['a compressed body', '/packed', 400, 'The other server sent something we can’t read.'],
])('stores nothing when a server sends %s', async (_, path, status, message) => {
  const before = [(await rows()).length, (await shop.files()).length]
  const answer = await post('get', { url: urlOf(outside, path), kind: 'file' })
  const last = answer.ok
    ? (await linesOf(answer)).at(-1)!
    : { status: answer.status, ...((await answer.json()) as Line) }
  expect(last.status).toBe(status)
  expect(last.message).toMatch(message)
  expect([(await rows()).length, (await shop.files()).length]).toEqual(before)
})

test('recognises an image by its bytes', async () => {
  const kindly = async (path: string) =>
    (await linesOf(await post('get', { url: urlOf(outside, path), kind: 'image' }))).at(-1)!
  expect(await kindly('/text.png')).toEqual({
    status: 415,
    message: 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.',
  })
  expect((await kindly('/true.png')).uploadURL).toMatch(/\/objects\//)
})

test.each([
  ['/slow', 10],
  ['/unsized', MAX],
])('counts the bytes of %s during the download and aborts when the member leaves', async (path, announcedBytes) => {
  const gone = new AbortController()
  const closed = new Promise((done) =>
    outside.once('request', (request: IncomingMessage) => request.once('close', done)),
  )
  const answer = await fetch(`${shop.url}/api/objects/url/get`, {
    method: 'POST',
    body: JSON.stringify({ url: urlOf(outside, path), kind: 'file' }),
    headers: { 'content-type': 'application/json', cookie: ada.cookie },
    signal: gone.signal,
  })
  expect(answer.status).toBe(200)
  expect((await rows()).find(({ status }) => status === 'issued')).toMatchObject({ announcedBytes })
  gone.abort()
  await closed
  while ((await rows()).some(({ status }) => status === 'issued')) await sleep(10)
  expect((await shop.files()).filter(({ parentPath }) => parentPath.endsWith('tmp'))).toEqual([])
})

test('reports a failure and removes the bytes when the sweep deletes the upload during the import', async () => {
  const before = (await shop.files()).length
  const last = (await linesOf(await post('get', { url: urlOf(outside, '/swept'), kind: 'file' }))).at(-1)!
  expect(last).toEqual({ status: 409, message: 'The upload took too long. Please try again.' })
  expect((await shop.files()).length).toBe(before)
})

test('accepts complete requests of members from the shop’s own pages only', async () => {
  const url = urlOf(outside, '/guide.bin')
  const body = { url, kind: 'file' }
  expect((await post('get', body, {})).status).toBe(401)
  expect((await post('get', body, { cookie: ada.cookie, origin: 'https://evil.example' })).status).toBe(403)
  expect((await post('get', body, { cookie: ada.cookie, 'content-type': 'text/plain' })).status).toBe(415)
  expect((await post('get', { url, kind: 'other' })).status).toBe(400)
  expect((await post('get', { ...body, more: 1 })).status).toBe(400)
  expect((await post('meta', { url: `http://127.0.0.1/${'x'.repeat(2000)}` })).status).toBe(400)
  expect(asked).toEqual([])
})
