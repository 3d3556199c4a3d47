import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { required } from '../../src/kit/values/required.ts'
import { answerBucket } from './bucket.ts'
import { type Call, type Config, el, escape, leaf, Refusal } from './call.ts'
import { answerObject } from './object.ts'
import { type Objects, openObjects } from './objects.ts'
import { checkSignature, type Keys } from './sigv4.ts'
import { answerUpload } from './upload.ts'

// Simulates an S3 store over HTTP for tests and drills: one private bucket with signatures, checksums, multipart
// uploads, ranges, conditions, copies, CORS and lifecycle rules.

export type S3StandIn = Keys & {
  endpoint: string
  bucket: string
  store: Objects
  /** A status, a cut connection (0), or a cut after the effect ('answer lost') for the next matches. */
  faults: { method: string; path: RegExp; status: number | 'answer lost'; times: number }[]
  requests: string[]
  config: Config
  stop: () => Promise<void>
}

export async function startS3({
  folder,
  port = 0,
  keys = { key: 'AKIDTEST', secret: 'a-secret-of-the-store', region: 'us-east-1' },
  bucket = 'goods',
  tls,
}: {
  folder: string
  port?: number
  keys?: Keys
  bucket?: string
  tls?: { key: string; cert: string }
}): Promise<S3StandIn> {
  const store = openObjects(folder)
  const state: Pick<S3StandIn, 'faults' | 'requests' | 'config'> = {
    faults: [],
    requests: [],
    config: { cors: null, lifecycle: null },
  }
  const listen: RequestListener = (request, response) => {
    void answer(request, response).catch((error: unknown) => {
      if (error instanceof Refusal) return refuse(request, response, error)
      return response.destroy()
    })
  }
  const server = tls ? createTlsServer(tls, listen) : createServer(listen)

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = required(request.url, 'the path of the request')
    const url = new URL(path, `http://${request.headers.host}`)
    const method = required(request.method, 'the method of the request')
    state.requests.push(`${method} ${url.pathname}${url.search}`)
    addCors(request, response, state.config.cors)
    if (method === 'OPTIONS') return response.writeHead(state.config.cors ? 200 : 403).end()
    const fault = state.faults.find((one) => one.times > 0 && one.method === method && one.path.test(path))
    if (fault) applyFault(fault, request, response)
    if (fault?.status === 0) return
    const refused = checkSignature(request, url, keys)
    if (refused) throw new Refusal(refused.status, refused.code, refused.message)
    const [, name, ...rest] = decodeURIComponent(url.pathname).split('/')
    if (name !== bucket) throw new Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist')
    const key = rest.join('/')
    const query = url.searchParams
    const call: Call = { request, response, query, key, method, store, config: state.config, bucket }
    if (key === '') return answerBucket(call)
    return query.has('uploadId') || query.has('uploads') ? answerUpload(call) : answerObject(call)
  }

  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const { port: open } = server.address() as AddressInfo
  return {
    ...keys,
    ...state,
    endpoint: `${tls ? 'https' : 'http'}://127.0.0.1:${open}`,
    bucket,
    store,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function applyFault(fault: S3StandIn['faults'][number], request: IncomingMessage, response: ServerResponse) {
  fault.times--
  const { status } = fault
  if (status === 0) return void request.destroy()
  if (status !== 'answer lost')
    throw new Refusal(
      status,
      status === 507 ? 'InsufficientStorage' : 'InternalError',
      'We encountered an internal error.',
    )
  response.writeHead = () => response
  response.end = () => request.socket.destroy() as never
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, code, message }: Refusal) {
  request.resume()
  const body = el('Error', leaf('Code', code), leaf('Message', message))
  return response.writeHead(status, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? '' : body)
}

function addCors({ headers }: IncomingMessage, response: ServerResponse, cors: string | null) {
  const { origin } = headers
  if (!origin || !cors?.includes(`<AllowedOrigin>${escape(origin)}</AllowedOrigin>`)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-allow-methods', 'GET, PUT, HEAD')
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
  response.setHeader('access-control-expose-headers', 'ETag')
}
