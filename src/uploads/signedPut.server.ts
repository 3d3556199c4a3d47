import type { Readable } from 'node:stream'
import type { Answer } from '../kit/handle.server.ts'
import { COMMON } from '../kit/serve/headers.server.ts'

// Shared by the targets of signed URLs: errors in S3's format, and draining of a refused body.

const xml = (code: string, message: string): Answer => ({
  status: 403,
  headers: { ...COMMON, 'content-type': 'application/xml; charset=utf-8' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
})
export const denied = xml('SignatureDoesNotMatch', 'The request signature does not match.')
/** The uploader recognises this message. A used URL counts as expired. */
export const expired = xml('AccessDenied', 'Request has expired')

/** Reads the rest of the body, because an early close loses the response. Stops after twice `maxBytes` or a minute. */
export async function drain(stream: Readable, maxBytes: number) {
  const start = performance.now()
  let left = 2 * maxBytes
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      left -= chunk.length
      if (left >= 0 && performance.now() - start < 60_000) continue
      stream.destroy()
      return
    }
  } catch {
    // the client has disconnected
  }
}
