import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Objects, StoredObject } from './objects.ts'

// Functions that the calls for buckets, objects and uploads share: request, error and XML.

export type Config = { cors: string | null; lifecycle: string | null }

export type Call = {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  key: string
  method: string
  store: Objects
  config: Config
  bucket: string
}

export class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const escape = (value: unknown) => String(value).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
export const el = (name: string, ...content: string[]) => `<${name}>${content.join('')}</${name}>`
export const leaf = (name: string, value: unknown) => el(name, escape(value))

export const sendXml = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${body}`)

/** Stores the body after its checksums match. */
export async function receive(request: IncomingMessage, store: Objects): Promise<StoredObject> {
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

export function checkIfNone({ headers }: IncomingMessage, store: Objects, key: string) {
  if (headers['if-none-match'] === '*' && store.objects.has(key))
    throw new Refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
}
