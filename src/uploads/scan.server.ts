import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import type { UploadsConfig } from './uploads.settings.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { fail, type Finding, off, ok } from '../monitoring/health/finding.rules.ts'

// A scanner for harmful files, where the shop has one: ClamAV's daemon, which is sent the bytes and never sees a path.

/** Answers the name of what was found, or null. Throws a Failure 503 when the scanner does not answer. */
export type Scan = (bytes: Readable) => Promise<string | null>

const STILL_MS = 60_000
const PING_MS = 3000
const END = Buffer.alloc(4)

/** `address` is 'host:port'. */
export function openScanner(address: string): Scan {
  const to = readAddress(address)
  return async (bytes) => {
    const answer = await ask(to, bytes).catch(String)
    const [, found] = /^stream: (.+) FOUND\0?$/.exec(answer) ?? []
    if (found) return found
    if (/^stream: OK\0?$/.test(answer)) return null
    log.error('the scanner did not check a file', { answer: answer.slice(0, 200) })
    throw new Failure(503, 'Files cannot be checked at the moment. Please try again later.', 'no_scanner', {
      retryAfter: 60,
    })
  }
}

function readAddress(address: string) {
  const { hostname, port } = new URL(`tcp://${address}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}

/** Greets the scanner, for the status screens. */
export async function checkScanner({ clamd }: Pick<UploadsConfig, 'clamd'>): Promise<Finding> {
  if (!clamd) return off('scanner', 'files are not scanned', 'set CLAMD to the address of a ClamAV daemon')
  const answer = await new Promise<string>((done) => {
    const socket = connect(readAddress(clamd), () => socket.end('zPING\0'))
    socket.setTimeout(PING_MS, () => socket.destroy(new Error('no answer')))
    socket.on('data', (text) => done(text.toString())).on('error', (error) => done(error.message))
    socket.on('close', () => done('no answer'))
  })
  if (answer.startsWith('PONG')) return ok('scanner', 'answers')
  return fail('scanner', answer, 'see whether the daemon at CLAMD runs; until then no file is taken in')
}

/** The daemon's INSTREAM command: each piece after its length, a length of zero at the end, one line as the answer. */
async function ask(to: { host: string; port: number }, bytes: Readable): Promise<string> {
  const socket = connect(to)
  socket.setTimeout(STILL_MS, () => socket.destroy(new Error('the scanner stood still')))
  const answer = new Promise<string>((done, fail) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => (text += part))
    socket.on('end', () => done(text)).on('error', fail)
  })
  try {
    socket.write('zINSTREAM\0')
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(piece.length)
      socket.write(length)
      if (!socket.write(piece)) await Promise.race([new Promise((ready) => socket.once('drain', ready)), answer])
      // it may have seen enough
      if (socket.readableEnded || socket.destroyed) break
    }
    if (socket.writable) socket.write(END)
    return await answer
  } finally {
    bytes.destroy()
    socket.destroy()
    answer.catch(() => undefined)
  }
}
