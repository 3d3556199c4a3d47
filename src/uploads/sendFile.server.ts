import type { Answer, Page } from '../kit/handle.server.ts'
import { COMMON } from '../kit/serve/headers.server.ts'
import { attachment, readRange } from './range.rules.ts'
import type { Storage } from './storage.server.ts'

const REDIRECT_SECONDS = 60
/** A bucket sends neither nosniff nor a policy. Browsers download this type and never display it. */
const REDIRECTED_TYPE = 'application/octet-stream'

export type SentFile = { key: string; fileName: string; contentType: string; sizeBytes: number; sha256: string }

export const fileHeaders = (contentType: string, fileName: string) => ({
  ...COMMON,
  'content-type': contentType,
  'content-disposition': attachment(fileName),
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
})

/** Returns the file or a range of it, or redirects to the store, which handles ranges itself. */
export async function sendFile(
  { header, method }: Pick<Page, 'header' | 'method'>,
  storage: Pick<Storage, 'open' | 'direct'>,
  { key, fileName, contentType, sizeBytes, sha256 }: SentFile,
): Promise<Answer> {
  const etag = `"${sha256}"`
  const headers = { ...fileHeaders(contentType, fileName), 'accept-ranges': 'bytes', etag }
  const condition = header('if-range')
  const range = condition === undefined || condition === etag ? readRange(header('range'), sizeBytes) : 'whole'
  if (range === 'invalid') return { status: 416, headers: { ...headers, 'content-range': `bytes */${sizeBytes}` } }
  if (method !== 'HEAD' && storage.direct?.isRedirecting) {
    const disposition = headers['content-disposition']
    const answer = { seconds: REDIRECT_SECONDS, contentType: REDIRECTED_TYPE, disposition }
    const { etag: _, ...shown } = headers
    return { status: 302, headers: { ...shown, location: await storage.direct.signGet(key, answer) } }
  }
  const { start, end } = range === 'whole' ? { start: 0, end: sizeBytes - 1 } : range
  const all = {
    ...headers,
    'content-length': String(end - start + 1),
    ...(range !== 'whole' && { 'content-range': `bytes ${start}-${end}/${sizeBytes}` }),
  }
  const status = range === 'whole' ? 200 : 206
  if (method === 'HEAD') return { status, headers: all }
  const { stream } = await storage.open(key, { start, end })
  return { status, headers: all, body: stream }
}
