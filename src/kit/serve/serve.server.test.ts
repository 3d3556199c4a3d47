import { get, type IncomingMessage } from 'node:http'
import { connect, Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createByteCache } from './cache.server.ts'
import type { Database } from '../database.server.ts'
import { endpoint } from '../contract.ts'
import { handle, handlePublic, handleRaw } from '../handle.server.ts'
import { loggedPath } from './errors.server.ts'
import { createLimiter } from './limit.server.ts'
import { setLogLevel } from '../log/log.server.ts'
import type { ServeOptions } from './options.server.ts'
import { serve } from './serve.server.ts'
import type { SharedLimiter } from './sharedLimit.server.ts'

const LARGE = Buffer.alloc(48 * 1024 * 1024)
const routes = [
  handleRaw('GET /small', { access: 'public', about: 'A little.' }, async () => ({ status: 200, body: 'small' })),
  handleRaw('GET /large', { access: 'public', about: 'A lot.' }, async () => ({ status: 200, body: LARGE })),
  handleRaw('GET /file', { access: 'public', about: 'A file.' }, async ({ method }) => ({
    status: 200,
    headers: { 'content-length': '25' },
    ...(method === 'GET' && { body: 'x'.repeat(25) }),
  })),
]

async function open(options: Partial<ServeOptions> = {}) {
  setLogLevel('silent')
  const server = await serve({
    routes,
    database: {} as Database,
    cache: createByteCache({ listen: async () => undefined, isUp: () => true, close: async () => undefined }),
    limiter: createLimiter({ scale: 0 }),
    identify: async () => null,
    fallback: async () => ({ status: 404 }),
    publicUrl: undefined,
    isProxyTrusted: false,
    host: '127.0.0.1',
    port: 0,
    ...options,
  })
  onTestFinished(() => server.close({ withinMs: 0 }))
  return {
    close: server.close,
    url: `http://localhost:${server.port}`,
    dial: () => {
      const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => undefined)
      onTestFinished(() => void socket.destroy())
      return socket
    },
  }
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

/** Reads to the end of the connection and returns the number of bytes. */
async function readAll(socket: Socket): Promise<number> {
  let size = 0
  socket.on('data', (chunk: Buffer) => (size += chunk.length))
  socket.resume()
  await new Promise((done) => socket.once('end', done).once('close', done))
  return size
}

test.each(['host: localhost\r\nhost: localhost', 'host: localhost\r\nHost: evil.example'])(
  'refuses a request with two hosts: %j',
  async (hosts) => {
    const { dial } = await open()
    const socket = dial()
    socket.end(`GET /small HTTP/1.1\r\n${hosts}\r\nconnection: close\r\n\r\n`)
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    await new Promise((done) => socket.once('close', done))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  },
)

test.each([
  [false, 2],
  [true, 3],
])('limits the connections of one network, unless a proxy is trusted: %s', async (isProxyTrusted, served) => {
  const listen = vi.spyOn(Server.prototype, 'listen')
  const { dial } = await open({ mostPerNetwork: 2, isProxyTrusted })
  const pretend = (socket: Socket) => Object.defineProperty(socket, 'remoteAddress', { value: '8.8.8.8' })
  ;(listen.mock.contexts.at(-1) as Server).prependListener('connection', pretend)
  const answers = Array.from({ length: 3 }, async () => {
    const socket = dial()
    socket.write(ask('/small'))
    return new Promise((done) => socket.once('data', () => done('served')).once('close', () => done('closed')))
  })
  expect((await Promise.all(answers)).filter((answer) => answer === 'served')).toHaveLength(served)
})

test('closes the connection of a client that does not read, but not of a slow client', async () => {
  const { dial } = await open({ idleMs: 400 })
  const [deaf, slow] = [dial(), dial()]
  deaf.write(ask('/large').repeat(3))
  deaf.pause()
  slow.write(ask('/large'))
  let size = 0
  slow.on('data', (chunk: Buffer) => {
    const isNewPart = Math.floor(size / 8e6) !== Math.floor((size + chunk.length) / 8e6)
    size += chunk.length
    if (!isNewPart) return
    slow.pause()
    setTimeout(() => slow.resume(), 200)
  })
  // the slow client pauses for three times the idle limit in total
  await expect.poll(() => size, { timeout: 20_000 }).toBeGreaterThan(LARGE.length)
  expect(await readAll(deaf)).toBeLessThan(LARGE.length)
})

test('closes the connection of a client that sends garbage and does not disconnect', async () => {
  const { dial } = await open({})
  const socket = dial()
  socket.write('nonsense\r\n\r\n')
  const [text] = (await new Promise((done) => socket.once('data', (chunk) => done([chunk])))) as [Buffer]
  expect(text.toString()).toMatch(/^HTTP\/1.1 400 /)
  // writing to a closed connection causes a reset
  const sendMore = () => socket.closed || (socket.write('more'), false)
  await expect.poll(sendMore).toBe(true)
})

test('closes an unused connection silently and answers half a head with 408', async () => {
  const { dial } = await open({ headersMs: 200 })
  const hear = async (sent: string) => {
    const socket = dial()
    if (sent) socket.write(sent)
    return (await socket.setEncoding('utf8').toArray()).join('').split('\r\n')[0]
  }
  const half = 'GET /small HTTP/1.1\r\nhost: local'
  expect(await Promise.all([hear(''), hear(half), hear('nonsense\r\n\r\n')])).toEqual([
    '',
    'HTTP/1.1 408 Request Timeout',
    'HTTP/1.1 400 Bad Request',
  ])
})

test('sends nothing between two requests on one connection', async () => {
  const { dial } = await open({ headersMs: 200 })
  const socket = dial().setEncoding('utf8')
  const heard: string[] = []
  socket.on('data', (text: string) => heard.push(text))
  for (const answers of [1, 2]) {
    socket.write(ask('/small'))
    await expect.poll(() => heard.join('').match(/HTTP\/1.1 200 /g)?.length).toBe(answers)
    await pause(300)
  }
  expect(heard.join('')).not.toMatch(/HTTP\/1.1 4/)
})

test('rejects connections above the limit instead of queueing them', async () => {
  const { dial } = await open({ mostConnections: 2 })
  const [one, two] = [dial(), dial()]
  for (const socket of [one, two]) {
    socket.write(ask('/small'))
    await new Promise((done) => socket.once('data', done))
  }
  const three = dial()
  three.write(ask('/small'))
  expect(await readAll(three)).toBe(0)
})

test.each(['null', '[]', '"text"', '7', '\uFEFF{}', '{'])('refuses the JSON body %j', async (body) => {
  const empty = endpoint('POST /empty', {
    access: 'public',
    about: 'Takes nothing.',
    input: z.strictObject({}),
    reply: z.object({}),
  })
  const { url } = await open({ routes: [handlePublic(empty, { limits: [] }, async () => ({}))] })
  const send = (text: string) =>
    fetch(`${url}/empty`, { method: 'POST', body: text, headers: { 'content-type': 'application/json', origin: url } })
  expect((await send('{}')).status).toBe(200)
  expect((await send(body)).status).toBe(400)
})

test('a stop closes a keep-alive connection after the response to the running request', async () => {
  const arrived = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const slow = handleRaw('GET /slow', { access: 'public', about: 'Waits.' }, async () => {
    arrived.resolve()
    await held.promise
    return { status: 200, body: 'slow' }
  })
  const { dial, close } = await open({ routes: [slow] })
  const socket = dial()
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.write(ask('/slow'))
  await arrived.promise
  const closed = close({ withinMs: 600_000 })
  held.resolve()
  await new Promise((done) => socket.once('end', done))
  socket.end()
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
})

test('answers HEAD with the length of GET', async () => {
  const { url } = await open({})
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(`${url}/file`, { method })
    expect([method, answer.status, answer.headers.get('content-length')]).toEqual([method, 200, '25'])
    expect(await answer.text()).toHaveLength(method === 'GET' ? 25 : 0)
  }
})

test('sends Strict-Transport-Security on every response under TLS', async () => {
  const { url } = await open({
    ...{ publicUrl: 'https://shop.example', isProxyTrusted: true, strictTransport: 'max-age=86400' },
  })
  const ask = async (path: string) => {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
    get(url + path, { headers: { host: 'shop.example' } }, resolve)
    const { headers } = (await promise).resume()
    return headers['strict-transport-security']
  }
  for (const path of ['/small', '/gone']) expect(await ask(path), path).toBe('max-age=86400')
})

test('a flood of calls without a fresh proof runs no SQL and spends no limit of the endpoint', async () => {
  const user = { id: 'ada', email: 'ada@test.example', role: 'member' as const }
  const asked: (string | undefined)[] = []
  const guarded = endpoint('POST /guarded', {
    access: 'member',
    stepUp: true,
    about: 'Wants a fresh proof.',
    input: z.strictObject({}),
    reply: z.object({}),
  })
  const { url } = await open({
    routes: [handle(guarded, { limits: [{ per: 'account', count: 2, seconds: 60 }] }, async () => ({}))],
    limiter: createLimiter({ now: () => 0 }),
    identify: async () => user,
    isVerified: async (cookie) => asked.push(cookie) > 0 && cookie === 'fresh',
    isProxyTrusted: true,
  })
  const call = async (cookie: string, from: string) => {
    const headers = { cookie, 'content-type': 'application/json', 'x-forwarded-for': from }
    return (await fetch(`${url}/guarded`, { method: 'POST', headers, body: '{}' })).status
  }
  const flood = await Promise.all(Array.from({ length: 150 }, () => call('stolen', '203.0.113.9')))
  expect(asked).toHaveLength(120)
  expect([flood.includes(403), flood.includes(429), flood.includes(200)]).toEqual([true, true, false])
  expect(await call('fresh', '198.51.100.7')).toBe(200)
})

test('nodes share a limit and check their local limit first', async () => {
  let taken = 0
  const sharedLimiter: SharedLimiter = {
    take: async () => (++taken > 2 ? 30 : 0),
    giveBack: async () => undefined,
    forget: async () => undefined,
  }
  const limits = [{ per: 'address', count: 3, seconds: 60, isShared: true } as const]
  const guarded = handleRaw('GET /guarded', { access: 'public', about: 'Money.', limits }, async () => ({
    status: 200,
  }))
  const node = () => open({ routes: [guarded], limiter: createLimiter(), sharedLimiter })
  const [one, two] = [await node(), await node()]
  const read = async ({ url }: { url: string }) => (await fetch(`${url}/guarded`)).status
  expect([await read(one), await read(two), await read(one), await read(one)]).toEqual([200, 200, 429, 429])
  // rejected requests run no SQL
  expect([await read(one), taken]).toEqual([429, 4])
})

test('logs a path without its query and without the token of a gift', () => {
  expect(['/orders?x=1', '/gift/5up3r-s3cret?y', '/gifts/7'].map(loggedPath)).toEqual([
    '/orders',
    '/gift/…',
    '/gifts/7',
  ])
})

test('passes the status of a write to the function that makes its cookie', async () => {
  const statuses: number[] = []
  const { url } = await open({
    afterWrite: async (status) => {
      statuses.push(status)
      return status === 404 ? null : 'seen=1'
    },
  })
  const cookiesOf = async (method: string, path: string) => (await fetch(url + path, { method })).headers.getSetCookie()
  expect(await cookiesOf('POST', '/unknown')).toEqual([])
  expect(await cookiesOf('POST', '/small')).toEqual(['seen=1'])
  expect(await cookiesOf('GET', '/small')).toEqual([])
  expect(statuses).toEqual([404, 405])
})

const MEMBER = { id: 'ada', email: 'ada@test.example', role: 'member' as const }
const VIEWER = {
  ...MEMBER,
  view: { staffId: 'sam', name: 'Ada', endsAt: new Date(Date.now() + 60_000) },
}

test('staff who see the shop as a member call viewable routes only, without their proof and on their own limit', async () => {
  const declare = (line: 'GET /seen' | 'GET /unseen' | 'POST /seen') =>
    endpoint(line, { access: 'member', about: 'A call.', reply: z.object({ proofs: z.array(z.boolean()) }) })
  const limits = [{ per: 'account', count: 1, seconds: 60 } as const]
  const calls = [declare('GET /seen'), declare('GET /unseen'), declare('POST /seen')].map((call) =>
    handle(call, { limits }, async (_, { isProven, isWorking }) => ({ proofs: [await isProven(), await isWorking()] })),
  )
  const { url } = await open({
    routes: calls,
    limiter: createLimiter(),
    identify: async (cookie) => (cookie === 'staff' ? VIEWER : MEMBER),
    isVerified: async () => true,
    isWorking: async () => true,
    viewable: new Set(['GET /seen'] as const),
  })
  const call = async (line: string, cookie: string) => {
    const [method, path] = line.split(' ') as [string, string]
    const response = await fetch(url + path, { method, headers: { cookie } })
    return [response.status, response.headers.get('x-member'), await response.json()]
  }
  expect(await call('GET /seen', 'staff')).toEqual([200, null, { proofs: [false, false] }])
  expect(await call('GET /seen', 'ada')).toEqual([200, 'ada', { proofs: [true, true] }])
  for (const line of ['GET /unseen', 'POST /seen'])
    expect(await call(line, 'staff')).toMatchObject([409, null, { code: 'viewing' }])
})

test('refuses every call of a page that shows another account', async () => {
  const declare = (line: 'GET /seen' | 'POST /seen') =>
    endpoint(line, { access: 'member', about: 'A call.', reply: z.object({}) })
  const { url } = await open({
    routes: [declare('GET /seen'), declare('POST /seen')].map((call) => handle(call, async () => ({}))),
    identify: async (cookie) => (cookie === 'viewer' ? VIEWER : cookie === 'ada' ? MEMBER : null),
    viewable: new Set(['GET /seen'] as const),
  })
  const call = async (method: string, cookie: string, shown?: string) => {
    const headers = { cookie, ...(shown && { 'x-account': shown }) }
    const response = await fetch(`${url}/seen`, { method, headers })
    return [response.status, ((await response.json()) as { code?: string }).code]
  }
  for (const method of ['GET', 'POST']) {
    expect(await call(method, 'ada', 'bob')).toEqual([409, 'other_account'])
    // a page from before the view
    expect(await call(method, 'viewer', 'sam')).toEqual([409, 'other_account'])
    expect(await call(method, 'ada', 'ada')).toEqual([200, undefined])
    // a page of an older build
    expect(await call(method, 'ada')).toEqual([200, undefined])
    expect(await call(method, 'nobody', 'ada')).toEqual([401, undefined])
  }
  expect(await call('GET', 'viewer', 'ada')).toEqual([200, undefined])
})

test('staff who see the shop as a member open no websocket', async () => {
  const { dial } = await open({
    identify: async () => VIEWER,
    door: { path: /^\/door$/, open: async () => expect.unreachable('the door opened') },
  })
  const socket = dial()
  socket.write(
    'GET /door HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost\r\ncookie: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  )
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await new Promise((done) => socket.once('end', done))
  expect(answer).toContain('409 Refused')
})
