import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type StoredObject, type Objects, openObjects, type Upload } from './objects.ts'
import { checkSignature, type Keys } from './sigv4.ts'

// A stand-in for an S3 store at the wire, for tests and drills: one private bucket with signatures, checksums, multipart
// uploads, ranges, conditions, copies, CORS and lifecycle rules.

export type S3StandIn = Keys & {
  endpoint: string
  bucket: string
  store: Objects
  /** Answers the next requests that match with this status, cuts their connection (0), or obeys and then cuts it ('answer lost'). */
  faults: { method: string; path: RegExp; status: number | 'answer lost'; times: number }[]
  requests: string[]
  config: { cors: string | null; lifecycle: string | null }
  stop: () => Promise<void>
}

class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const MIN_PART_BYTES = 5 * 1024 * 1024
const escape = (value: unknown) => String(value).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
const el = (name: string, ...content: string[]) => `<${name}>${content.join('')}</${name}>`
const leaf = (name: string, value: unknown) => el(name, escape(value))

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
    const url = new URL(request.url!, `http://${request.headers.host}`)
    const method = request.method!
    state.requests.push(`${method} ${url.pathname}${url.search}`)
    addCors(request, response, state.config.cors)
    if (method === 'OPTIONS') return response.writeHead(state.config.cors ? 200 : 403).end()
    const fault = state.faults.find(
      ({ method: of, path, times }) => times > 0 && of === method && path.test(request.url!),
    )
    if (fault) {
      fault.times--
      const { status } = fault
      if (status === 0) return request.destroy()
      if (status !== 'answer lost')
        throw new Refusal(
          status,
          status === 507 ? 'InsufficientStorage' : 'InternalError',
          'We encountered an internal error.',
        )
      response.writeHead = () => response
      response.end = () => request.socket.destroy() as never
    }
    const refused = checkSignature(request, url, keys)
    if (refused) throw new Refusal(refused.status, refused.code, refused.message)
    const [, name, ...rest] = decodeURIComponent(url.pathname).split('/')
    if (name !== bucket) throw new Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist')
    const key = rest.join('/')
    const call: Call = { request, response, query: url.searchParams, key, method, store, state, bucket }
    return key === ''
      ? answerBucket(call)
      : url.searchParams.has('uploadId') || url.searchParams.has('uploads')
        ? answerUpload(call)
        : answerObject(call)
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

type Call = {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  key: string
  method: string
  store: Objects
  state: Pick<S3StandIn, 'config'>
  bucket: string
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, code, message }: Refusal) {
  request.resume()
  const body = el('Error', leaf('Code', code), leaf('Message', message))
  return response.writeHead(status, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? '' : body)
}

const sendXml = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${body}`)

function addCors({ headers }: IncomingMessage, response: ServerResponse, cors: string | null) {
  const { origin } = headers
  if (!origin || !cors?.includes(`<AllowedOrigin>${escape(origin)}</AllowedOrigin>`)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-allow-methods', 'GET, PUT, HEAD')
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
  response.setHeader('access-control-expose-headers', 'ETag')
}

async function answerBucket({ request, response, query, method, store, state }: Call) {
  for (const name of ['cors', 'lifecycle'] as const) {
    if (!query.has(name)) continue
    if (method === 'PUT') {
      state.config[name] = await text(request)
      return response.writeHead(200).end()
    }
    if (state.config[name] === null) throw new Refusal(404, `NoSuch${name}Configuration`, 'There is none.')
    return sendXml(response, state.config[name])
  }
  if (query.has('uploads'))
    return sendXml(
      response,
      el(
        'ListMultipartUploadsResult',
        leaf('IsTruncated', false),
        ...[...store.uploads].map(([id, { key, at }]) =>
          el('Upload', leaf('Key', key), leaf('UploadId', id), leaf('Initiated', at.toISOString())),
        ),
      ),
    )
  if (query.has('delete') && method === 'POST') {
    const keys = [...(await text(request)).matchAll(/<Key>([^<]*)</g)].map(([, key]) => key!)
    for (const key of keys) {
      await store.drop(store.objects.get(key))
      store.objects.delete(key)
    }
    return sendXml(response, el('DeleteResult'))
  }
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter')
  const after = query.get('continuation-token') ?? ''
  const most = Number(query.get('max-keys') ?? 1000)
  const keys = [...store.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, most)
  const folderOf = (key: string) => {
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1
    return end < 0 ? null : key.slice(0, end + 1)
  }
  const folders = new Set(page.map(folderOf).filter((folder) => folder !== null))
  return sendXml(
    response,
    el(
      'ListBucketResult',
      leaf('IsTruncated', keys.length > most),
      ...(keys.length > most ? [leaf('NextContinuationToken', page.at(-1))] : []),
      ...[...folders].map((folder) => el('CommonPrefixes', leaf('Prefix', folder))),
      ...page
        .filter((key) => folderOf(key) === null)
        .map((key) => {
          const { at, sizeBytes, etag } = store.objects.get(key)!
          return el(
            'Contents',
            leaf('Key', key),
            leaf('LastModified', at.toISOString()),
            leaf('ETag', etag),
            leaf('Size', sizeBytes),
          )
        }),
    ),
  )
}

async function answerUpload(call: Call) {
  const { response, query, key, method, store } = call
  if (query.has('uploads')) return startUpload(call)
  const uploadId = query.get('uploadId')!
  const upload = store.uploads.get(uploadId)
  if (upload?.key !== key)
    throw new Refusal(
      404,
      'NoSuchUpload',
      'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    )
  if (method === 'PUT') return putPart(call, upload)
  if (method === 'GET') return listParts(call, upload)
  if (method !== 'DELETE') return completeUpload(call, uploadId, upload)
  await store.end(uploadId)
  response.writeHead(204).end()
}

function startUpload({ request, response, key, store }: Call) {
  const uploadId = store.newId()
  const isChecked = request.headers['x-amz-checksum-algorithm'] === 'SHA256'
  const contentType = request.headers['content-type'] ?? 'binary/octet-stream'
  store.uploads.set(uploadId, { key, at: new Date(), isChecked, contentType, parts: new Map() })
  return sendXml(response, el('InitiateMultipartUploadResult', leaf('Key', key), leaf('UploadId', uploadId)))
}

async function putPart({ request, response, query, store }: Call, upload: Upload) {
  const number = Number(query.get('partNumber'))
  if (!Number.isInteger(number) || number < 1 || number > 10_000)
    throw new Refusal(400, 'InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive')
  if (upload.isChecked && !request.headers['x-amz-checksum-sha256'])
    throw new Refusal(
      400,
      'InvalidRequest',
      'Checksum Type mismatch occurred, expected checksum Type: sha256, actual checksum Type: null',
    )
  const part = await receive(request, store)
  const before = upload.parts.get(number)
  upload.parts.set(number, part)
  await store.drop(before)
  response.writeHead(200, { etag: part.etag }).end()
}

function listParts({ response, query }: Call, upload: Upload) {
  const after = Number(query.get('part-number-marker') ?? 0)
  const most = Number(query.get('max-parts') ?? 1000)
  const numbers = [...upload.parts.keys()].filter((number) => number > after).sort((a, b) => a - b)
  const page = numbers.slice(0, most)
  return sendXml(
    response,
    el(
      'ListPartsResult',
      leaf('IsTruncated', numbers.length > most),
      leaf('NextPartNumberMarker', page.at(-1) ?? 0),
      ...page.map((number) => {
        const { etag, sizeBytes, sha256 } = upload.parts.get(number)!
        const sum = upload.isChecked ? [leaf('ChecksumSHA256', sha256)] : []
        return el('Part', leaf('PartNumber', number), leaf('ETag', etag), leaf('Size', sizeBytes), ...sum)
      }),
    ),
  )
}

async function completeUpload({ request, response, key, store }: Call, uploadId: string, upload: Upload) {
  checkIfNone(request, store, key)
  const xml = await text(request)
  const named = [...xml.matchAll(/<Part>.*?<\/Part>/gs)].map(([part]) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: /<ETag>([^<]*)</.exec(part)?.[1]?.replaceAll(/&(#34|quot);/g, '"') ?? '',
    sha256: /<ChecksumSHA256>([^<]*)</.exec(part)?.[1],
  }))
  if (named.length === 0)
    throw new Refusal(
      400,
      'MalformedXML',
      'The XML you provided was not well-formed or did not validate against our published schema',
    )
  checkParts(named, upload)
  await store.join(
    uploadId,
    named.map(({ number }) => number),
  )
  return sendXml(response, el('CompleteMultipartUploadResult', leaf('ETag', store.objects.get(key)!.etag)))
}

type NamedPart = { number: number; etag: string; sha256: string | undefined }

/** Refuses a list of parts that are missing, out of order or too small. */
function checkParts(named: NamedPart[], upload: Upload) {
  for (const [i, { number, etag, sha256 }] of named.entries()) {
    const part = upload.parts.get(number)
    const isRight =
      part?.etag.replaceAll('"', '') === etag.replaceAll('"', '') && (!upload.isChecked || sha256 === part?.sha256)
    if (!isRight) throw new Refusal(400, 'InvalidPart', 'One or more of the specified parts could not be found.')
    if (i > 0 && number <= named[i - 1]!.number)
      throw new Refusal(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.')
    if (i < named.length - 1 && part!.sizeBytes < MIN_PART_BYTES)
      throw new Refusal(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
  }
}

async function receive(request: IncomingMessage, store: Objects): Promise<StoredObject> {
  const { headers } = request
  const { hex, ...kept } = await store.write(request, headers['content-type'] ?? 'binary/octet-stream')
  const fail = async (code: string, message: string) => {
    await store.drop(kept)
    throw new Refusal(400, code, message)
  }
  const payload = headers['x-amz-content-sha256']
  if (payload && payload !== 'UNSIGNED-PAYLOAD' && payload !== hex)
    await fail(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    )
  const sum = headers['x-amz-checksum-sha256']
  if (sum !== undefined && sum !== kept.sha256)
    await fail('BadDigest', 'The SHA256 you specified did not match the calculated checksum.')
  return { ...kept, sha256: sum === undefined ? null : kept.sha256 }
}

function checkIfNone({ headers }: IncomingMessage, store: Objects, key: string) {
  if (headers['if-none-match'] === '*' && store.objects.has(key))
    throw new Refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
}

async function answerObject({ request, response, query, key, method, store, bucket }: Call) {
  const { headers } = request
  if (method === 'PUT') {
    const source = headers['x-amz-copy-source']
    if (typeof source === 'string') {
      const from = store.objects.get(decodeURIComponent(source).replace(`/${bucket}/`, ''))
      if (!from) throw new Refusal(404, 'NoSuchKey', 'The specified key does not exist.')
      const condition = headers['x-amz-copy-source-if-match']
      if (condition !== undefined && condition !== from.etag)
        throw new Refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
      await store.set(key, await store.copy(from))
      return sendXml(response, el('CopyObjectResult', leaf('ETag', store.objects.get(key)!.etag)))
    }
    checkIfNone(request, store, key)
    const kept = await receive(request, store)
    await store.set(key, kept)
    return response.writeHead(200, { etag: kept.etag }).end()
  }
  if (method === 'DELETE') {
    await store.drop(store.objects.get(key))
    store.objects.delete(key)
    return response.writeHead(204).end()
  }
  const kept = store.objects.get(key)
  if (!kept) throw new Refusal(404, 'NoSuchKey', 'The specified key does not exist.')
  const all: Record<string, string> = {
    etag: kept.etag,
    'accept-ranges': 'bytes',
    'content-type': query.get('response-content-type') ?? kept.contentType,
    'last-modified': kept.at.toUTCString(),
  }
  const [disposition, cache] = [query.get('response-content-disposition'), query.get('response-cache-control')]
  if (disposition) all['content-disposition'] = disposition
  if (cache) all['cache-control'] = cache
  if (headers['x-amz-checksum-mode'] === 'ENABLED' && kept.sha256) all['x-amz-checksum-sha256'] = kept.sha256
  if (headers['if-match'] !== undefined && headers['if-match'] !== kept.etag)
    throw new Refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
  if (headers['if-none-match'] === kept.etag) return response.writeHead(304, all).end()
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = to ? Math.min(Number(to), kept.sizeBytes - 1) : kept.sizeBytes - 1
  if (start > end) throw new Refusal(416, 'InvalidRange', 'The requested range is not satisfiable')
  if (from !== undefined) all['content-range'] = `bytes ${start}-${end}/${kept.sizeBytes}`
  response.writeHead(from === undefined ? 200 : 206, { ...all, 'content-length': String(end - start + 1) })
  if (method === 'HEAD') return response.end()
  return createReadStream(kept.path, { start, end })
    .on('error', () => response.destroy())
    .pipe(response)
}
