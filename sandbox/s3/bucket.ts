import { text } from 'node:stream/consumers'
import { required } from '../../src/kit/values/required.ts'
import { type Call, el, leaf, Refusal, sendXml } from './call.ts'

export async function answerBucket(call: Call) {
  const { request, response, query, method, store, config } = call
  for (const name of ['cors', 'lifecycle'] as const) {
    if (!query.has(name)) continue
    if (method === 'PUT') {
      config[name] = await text(request)
      return response.writeHead(200).end()
    }
    if (config[name] === null) throw new Refusal(404, `NoSuch${name}Configuration`, 'There is none.')
    return sendXml(response, config[name])
  }
  if (query.has('uploads')) return listUploads(call)
  if (query.has('delete') && method === 'POST') {
    const keys = [...(await text(request)).matchAll(/<Key>([^<]*)</g)].map(([, key]) => required(key, 'a key'))
    for (const key of keys) {
      await store.drop(store.objects.get(key))
      store.objects.delete(key)
    }
    return sendXml(response, el('DeleteResult'))
  }
  return listObjects(call)
}

function listUploads({ response, store }: Call) {
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
}

function listObjects({ response, query, store }: Call) {
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
          const { at, sizeBytes, etag } = required(store.objects.get(key), 'the object')
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
