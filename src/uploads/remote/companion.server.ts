import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { codeOf } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import { deriveKey } from '../../kit/seal.server.ts'
import type { RemoteSettings } from '../uploads.settings.server.ts'
import { COMPANION_PATH } from './sources.ts'

// Companion (an Express application) connects to the clouds. It listens on a separate local port and accepts only calls
// with a one-time id, so that every request passes the shop's checks first.

export type GrantSession = Record<string, unknown>

type Call = {
  method: 'GET' | 'POST'
  path: string
  token?: string | undefined
  session: GrantSession
  body?: Record<string, unknown>
}
export type CompanionAnswer = { status: number; type: string; location: string | null; body: Buffer }

type Take = (stream: IncomingMessage, sizeBytes: number | null) => Promise<string>

type CompanionEvent = { action: string; payload?: unknown }
type Emitter = { emit: (name: string, told?: CompanionEvent) => boolean }
type SentError = { extraData?: { responseText?: string } }

export type Companion = Awaited<ReturnType<typeof startCompanion>>

export async function startCompanion(sources: RemoteSettings, { secret, origin }: { secret: string; origin: string }) {
  const { app: createApp, socket: openSockets } = await import('@uppy/companion')
  await removeLeftovers()
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER}${process.pid}-`))
  const calls = new Map<string, Pick<Call, 'session' | 'body'>>()
  const takes = new Map<string, Take>()
  // imports may exceed Node's default timeout of five minutes; import.server.ts ends them after an hour
  const server = createServer({ requestTimeout: 0 }, (request, response) => answer(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const self = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { protocol, host } = new URL(origin)
  const { app, emitter } = createApp({
    secret: deriveKey(secret, 'companion').toString('base64url'),
    filePath: folder,
    server: { host, protocol: protocol.slice(0, -1), path: COMPANION_PATH },
    providerOptions: sources,
    corsOrigins: [origin],
    uploadUrls: [`^${self.replaceAll('.', String.raw`\.`)}/take/[\\w-]+$`],
    allowLocalUrls: false,
    enableUrlEndpoint: false,
    metrics: false,
  })
  relayEvents(emitter)
  const sockets = new EventEmitter()
  openSockets(sockets as never)

  function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? ''
    if (path.startsWith('/take/')) {
      const id = path.slice('/take/'.length)
      const take = takes.get(id)
      takes.delete(id)
      return void takeIn(take, request, response)
    }
    const call = calls.get(String(request.headers['x-call']))
    if (!call) return void response.writeHead(404).end()
    Object.assign(request, {
      ...{ session: call.session, body: call.body, _body: true },
      ...{ originalUrl: path, url: path.slice(COMPANION_PATH.length) },
    })
    app(request as never, response as never)
  }

  return {
    /** Calls Companion. Throws a Failure 404 if dots in the path lead out of the checked route. */
    async ask({ method, path, token, session, body }: Call): Promise<CompanionAnswer> {
      if (new URL(self + path).pathname !== path.split('?')[0]) throw new Failure(404, 'Not found')
      const id = randomBytes(24).toString('base64url')
      calls.set(id, { session, ...(body && { body }) })
      try {
        const headers = { 'x-call': id, ...(token && { 'uppy-auth-token': token }) }
        const response = await fetch(self + path, { method, headers, redirect: 'manual' })
        return {
          status: response.status,
          type: response.headers.get('content-type') ?? '',
          location: response.headers.get('location'),
          body: Buffer.from(await response.arrayBuffer()),
        }
      } finally {
        calls.delete(id)
      }
    },
    /** Returns the URL for one PUT by Companion, which `take` receives. */
    expect(take: Take): string {
      const id = randomBytes(24).toString('base64url')
      takes.set(id, take)
      setTimeout(() => takes.delete(id), TAKE_WITHIN_MS).unref()
      return `${self}/take/${id}`
    },
    openSocket(request: IncomingMessage, socket: Duplex, head: Buffer) {
      sockets.emit('upgrade', request, socket, head)
      let bytes = 0
      // Companion itself would buffer messages of 100 MB
      socket.on('data', (chunk: Buffer) => (bytes += chunk.length) > MAX_SAID_BYTES && socket.destroy())
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function takeIn(take: Take | undefined, request: IncomingMessage, response: ServerResponse) {
  const send = (status: number, reply: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  if (!take) return send(404, { message: 'Not found' })
  try {
    const length = Number(request.headers['content-length'])
    send(200, { url: await take(request, Number.isSafeInteger(length) ? length : null) })
  } catch (error) {
    if (!(error instanceof Failure)) log.warn('an import from a cloud failed', { error })
    const { status, message } =
      error instanceof Failure ? error : { status: 500, message: 'The file could not be stored. Please try again.' }
    send(status, { status, message })
    request.resume()
  }
}

/** Browsers only send cancel messages. */
const MAX_SAID_BYTES = 64 * 1024

const FOLDER = 'primo-companion-'

/** Removes import files of killed nodes. */
async function removeLeftovers() {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(FOLDER) && parseInt(name.slice(FOLDER.length), 10)
    if (pid && (pid === process.pid || !isRunning(pid)))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // the process exists but belongs to another user
    return codeOf(error) === 'EPERM'
  }
}

/** Companion waits a minute for the browser's socket, then for the cloud. */
const RESULT_MS = 10 * 60_000
const TAKE_WITHIN_MS = 10 * 60_000

/** Forwards simple events, and repeats the result of an import to a browser that reconnects. */
function relayEvents(emitter: Emitter) {
  const emit = emitter.emit.bind(emitter)
  const results = new Map<string, CompanionEvent>()
  emitter.emit = (name, told) => {
    if (told === undefined) {
      // repeats the result for a browser that lost its connection
      const result = name.startsWith('connection:') && results.get(name.slice('connection:'.length))
      if (result) setImmediate(() => emit(name.slice('connection:'.length), result))
      return emit(name)
    }
    const simple = simplify(told)
    if (simple.action === 'success' || simple.action === 'error') {
      results.set(name, simple)
      setTimeout(() => results.delete(name), RESULT_MS).unref()
    }
    return emit(name, simple)
  }
}

/** Sends the shop's reason to the browser, without details of local requests. */
function simplify(told: CompanionEvent): CompanionEvent {
  if (told?.action === 'error') {
    const { extraData } = (told.payload as { error?: SentError })?.error ?? {}
    const { status = 502, message = 'The cloud stopped sending. Please try again.' } = read(extraData?.responseText)
    return { action: 'error', payload: { error: { status, message } } }
  }
  if (told?.action !== 'success') return told
  const { url, bytesUploaded } = told.payload as { url: string; bytesUploaded: number }
  return { action: 'success', payload: { url, bytesUploaded, complete: true } }
}

function read(text: string | undefined): { status?: number; message?: string } {
  try {
    return JSON.parse(text ?? '{}') as { status?: number; message?: string }
  } catch {
    return {}
  }
}
