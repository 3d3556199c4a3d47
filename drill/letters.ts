import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { World } from './world.ts'
import { required } from '../src/kit/values/required.ts'

const TIMEOUT_MS = 120_000

/** `names` holds the Message-ID of each received mail, twice if the mail arrived twice. */
export async function openMailServer() {
  const names: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let rest = ''
    let isLetter = false
    let name = ''
    const say = (line: string) => void socket.write(`${line}\r\n`)
    const hear = (line: string) => {
      if (isLetter) {
        name ||= /^message-id: *(\S+)/i.exec(line)?.[1] ?? ''
        if (line !== '.') return
        names.push(name)
        isLetter = false
        return say('250 kept')
      }
      if (!/^DATA/i.test(line)) return say(/^QUIT/i.test(line) ? '221 bye' : '250 ok')
      isLetter = true
      name = ''
      say('354 go on')
    }
    say('220 post')
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = required(lines.pop(), 'the last line')
      for (const line of lines) hear(line)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    names,
    url: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Makes the shop send its waiting mails at once. Returns the receipts that did not arrive. */
export async function findMissingLetters({ database: { pool } }: World, names: string[]): Promise<string[]> {
  for (const end = performance.now() + TIMEOUT_MS; performance.now() < end; await pause(200)) {
    await pool.query('UPDATE mails SET due_at = now() WHERE sent_at IS NULL AND refused_at IS NULL AND due_at > now()')
    const { rowCount } = await pool.query('SELECT FROM mails WHERE sent_at IS NULL AND refused_at IS NULL LIMIT 1')
    if (rowCount === 0) break
  }
  const { rows } = await pool.query<{ order: string; letter: string | null }>(
    `SELECT orders.id AS "order", mails.id AS letter FROM orders LEFT JOIN mails ON mails.key = 'receipt:' || orders.id
      WHERE status = 'completed'`,
  )
  const arrived = new Set(names.map((name) => name.slice(1, name.indexOf('@'))))
  return rows
    .filter(({ letter }) => letter === null || !arrived.has(letter))
    .map(({ order }) => `the receipt of order ${order} never arrived`)
}
