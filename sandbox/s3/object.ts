import { createReadStream } from 'node:fs'
import { type Call, checkIfNone, el, leaf, receive, Refusal, sendXml } from './call.ts'

const noSuchKey = () => new Refusal(404, 'NoSuchKey', 'The specified key does not exist.')
const preconditionFailed = () =>
  new Refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')

export async function answerObject(call: Call) {
  const { request, response, key, method, store } = call
  const source = request.headers['x-amz-copy-source']
  if (method === 'PUT') return typeof source === 'string' ? copyObject(call, source) : putObject(call)
  if (method !== 'DELETE') return sendObject(call)
  await store.drop(store.objects.get(key))
  store.objects.delete(key)
  return response.writeHead(204).end()
}

async function putObject({ request, response, key, store }: Call) {
  checkIfNone(request, store, key)
  const kept = await receive(request, store)
  await store.set(key, kept)
  return response.writeHead(200, { etag: kept.etag }).end()
}

async function copyObject({ request: { headers }, response, key, store, bucket }: Call, source: string) {
  const from = store.objects.get(decodeURIComponent(source).replace(`/${bucket}/`, ''))
  if (!from) throw noSuchKey()
  const condition = headers['x-amz-copy-source-if-match']
  if (condition !== undefined && condition !== from.etag) throw preconditionFailed()
  const copied = await store.copy(from)
  await store.set(key, copied)
  return sendXml(response, el('CopyObjectResult', leaf('ETag', copied.etag)))
}

function sendObject({ request: { headers }, response, query, key, method, store }: Call) {
  const kept = store.objects.get(key)
  if (!kept) throw noSuchKey()
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
  if (headers['if-match'] !== undefined && headers['if-match'] !== kept.etag) throw preconditionFailed()
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
