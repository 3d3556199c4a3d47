import { createHash } from 'node:crypto'
import { Failure } from '../../kit/failure.ts'
import { pickParts } from '../parts/pick.rules.ts'
import type { NamedPart, Part, PartStorage, Stored } from '../storage.server.ts'
import { failureOf, type Query, type S3 } from './client.server.ts'
import { type Node, readAll, readText, writeXml } from './xml.rules.ts'
import { required } from '../../kit/values/required.ts'

/** A store needs minutes to join thousands of parts or copy gigabytes, and responds at the end. */
export const JOIN_MS = 10 * 60_000

export function openParts(s3: S3, measure: (key: string) => Promise<Stored>) {
  const start: PartStorage['start'] = async (key, { contentType, isChecked = false } = {}) => {
    const headers = {
      ...(contentType && { 'content-type': contentType }),
      ...(isChecked && { 'x-amz-checksum-algorithm': 'SHA256' }),
    }
    const answer = await s3.send('POST', { key, query: { uploads: '' }, headers })
    return required(readText(await answer.text(), 'UploadId'), 'the UploadId')
  }

  const list: PartStorage['list'] = async (key, uploadId) => {
    const parts: Part[] = []
    for (let after: string | null = '0'; after !== null;) {
      const query: Query = { uploadId, 'part-number-marker': after, 'max-parts': '1000' }
      const xml: string = await (await s3.send('GET', { key, query })).text()
      parts.push(...readAll(xml, 'Part').map(readPart))
      after = readText(xml, 'IsTruncated') === 'true' ? readText(xml, 'NextPartNumberMarker') : null
    }
    return parts
  }

  async function putBytes(key: string, uploadId: string, number: number, body: Buffer): Promise<NamedPart> {
    const sha256 = createHash('sha256').update(body).digest('hex')
    const answer = await s3.send('PUT', { key, query: { partNumber: String(number), uploadId }, body, sha256 })
    return { number, etag: required(answer.headers.get('etag'), 'the ETag') }
  }

  async function join(key: string, uploadId: string, parts: (NamedPart & { sha256?: string | null })[]) {
    const nodes = parts.map(({ number, etag, sha256 }): Node => {
      const named: Node[] = [
        ['PartNumber', number],
        ['ETag', etag],
      ]
      return ['Part', sha256 ? [...named, ['ChecksumSHA256', sha256]] : named]
    })
    const body = writeXml(['CompleteMultipartUpload', nodes])
    const signal = AbortSignal.timeout(JOIN_MS)
    const answer = await s3.send('POST', { key, query: { uploadId }, body, signal })
    const xml = await answer.text()
    if (readAll(xml, 'Error').length > 0) throw failureOf(xml, 500, `POST ${key}`)
  }

  const finish: PartStorage['finish'] = async (key, uploadId, named) => {
    try {
      await join(key, uploadId, pickParts(await list(key, uploadId), named))
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'NoSuchUpload')) throw error
      // a node may have joined the parts before it was killed
      return await measure(key).catch(() => {
        throw error
      })
    }
    return measure(key)
  }

  const abort: PartStorage['abort'] = async (key, uploadId) => {
    await s3.send('DELETE', { key, query: { uploadId } }).catch((error: unknown) => {
      if (!(error instanceof Failure && error.status === 404)) throw error
    })
  }

  async function listUploads() {
    const found: { key: string; uploadId: string; startedAt: string | null }[] = []
    for (let from: Record<string, string> | null = {}; from !== null;) {
      const xml: string = await (await s3.send('GET', { query: { uploads: '', ...from } })).text()
      for (const entry of readAll(xml, 'Upload'))
        found.push({
          key: required(readText(entry, 'Key'), 'the Key'),
          uploadId: required(readText(entry, 'UploadId'), 'the UploadId'),
          startedAt: readText(entry, 'Initiated'),
        })
      const isCut: boolean = readText(xml, 'IsTruncated') === 'true'
      from = isCut
        ? {
            'key-marker': readText(xml, 'NextKeyMarker') ?? '',
            'upload-id-marker': readText(xml, 'NextUploadIdMarker') ?? '',
          }
        : null
    }
    return found
  }

  return { start, list, finish, abort, putBytes, join, listUploads }
}

const readPart = (xml: string): Part => ({
  number: Number(readText(xml, 'PartNumber')),
  sizeBytes: Number(readText(xml, 'Size')),
  etag: readText(xml, 'ETag') ?? '',
  sha256: readText(xml, 'ChecksumSHA256'),
})
