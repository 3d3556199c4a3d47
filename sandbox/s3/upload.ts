import { text } from 'node:stream/consumers'
import { required } from '../../src/kit/values/required.ts'
import { type Call, checkIfNone, el, leaf, receive, Refusal, sendXml } from './call.ts'
import type { Upload } from './objects.ts'

const MIN_PART_BYTES = 5 * 1024 * 1024

export async function answerUpload(call: Call) {
  const { response, query, key, method, store } = call
  if (query.has('uploads')) return startUpload(call)
  const uploadId = query.get('uploadId') ?? ''
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
        const { etag, sizeBytes, sha256 } = required(upload.parts.get(number), 'the part')
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
  return sendXml(
    response,
    el('CompleteMultipartUploadResult', leaf('ETag', required(store.objects.get(key), 'the object').etag)),
  )
}

type NamedPart = { number: number; etag: string; sha256: string | undefined }

function checkParts(named: NamedPart[], upload: Upload) {
  for (const [i, { number, etag, sha256 }] of named.entries()) {
    const part = upload.parts.get(number)
    const isRight =
      part?.etag.replaceAll('"', '') === etag.replaceAll('"', '') && (!upload.isChecked || sha256 === part?.sha256)
    if (!part || !isRight)
      throw new Refusal(400, 'InvalidPart', 'One or more of the specified parts could not be found.')
    if (i > 0 && number <= required(named[i - 1], 'the part before').number)
      throw new Refusal(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.')
    if (i < named.length - 1 && part.sizeBytes < MIN_PART_BYTES)
      throw new Refusal(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
  }
}
