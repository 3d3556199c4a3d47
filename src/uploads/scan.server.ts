import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import type { UploadsConfig } from './uploads.settings.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { fail, type Finding, ok, warn } from '../kit/health/finding.rules.ts'

// The optional malware scanner, ClamAV's daemon. It receives bytes, never a path.

/** Returns the name of the malware found, or null. Throws a Failure 503 without a reply. */
export type Scan = (bytes: Readable) => Promise<string | null>

const STALLED_MS = 60_000
const PING_MS = 3000
const END = Buffer.alloc(4)

export function openScanner(address: string): Scan {
  const to = readAddress(address)
  return async (bytes) => {
    const answer = await ask(to, bytes).catch(String)
    const [, found] = /^stream: (.+) FOUND\0?$/.exec(answer) ?? []
    if (found) return found
    if (/^stream: OK\0?$/.test(answer)) return null
    log.error('the scanner could not check a file', { answer: answer.slice(0, 200) })
    throw new Failure(503, 'Files cannot be checked at the moment. Please try again later.', 'no_scanner', {
      retryAfter: 60,
    })
  }
}

function readAddress(address: string) {
  const { hostname, port } = new URL(`tcp://${address}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}

export async function checkScanner({ clamd }: Pick<UploadsConfig, 'clamd'>): Promise<Finding> {
  if (!clamd) return warn('scanner', 'files are not scanned', 'set CLAMD to the address of a ClamAV daemon')
  const answer = await new Promise<string>((done) => {
    const socket = connect(readAddress(clamd), () => socket.end('zPING\0'))
    socket.setTimeout(PING_MS, () => socket.destroy(new Error('no answer')))
    socket.on('data', (text) => done(text.toString())).on('error', (error) => done(error.message))
    socket.on('close', () => done('no answer'))
  })
  if (answer.startsWith('PONG')) return ok('scanner', 'answers')
  return fail('scanner', answer, 'check that the daemon at CLAMD runs; until then all uploads are rejected')
}

/** Sends the INSTREAM command: each chunk with its length, then a zero length. The reply is one line. */
async function ask(to: { host: string; port: number }, bytes: Readable): Promise<string> {
  const socket = connect(to)
  socket.setTimeout(STALLED_MS, () => socket.destroy(new Error('the scanner stalled')))
  const answer = new Promise<string>((done, fail) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => (text += part))
    socket.on('end', () => done(text)).on('error', fail)
  })
  // prevents an unhandled rejection if the socket fails while the first bytes are read
  answer.catch(() => undefined)
  try {
    socket.write('zINSTREAM\0')
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(piece.length)
      socket.write(length)
      if (!socket.write(piece)) await Promise.race([new Promise((ready) => socket.once('drain', ready)), answer])
      // the scanner may reply before the end
      if (socket.readableEnded || socket.destroyed) break
    }
    if (socket.writable) socket.write(END)
    return await answer
  } finally {
    bytes.destroy()
    socket.destroy()
  }
}
