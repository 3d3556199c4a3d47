import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below Linux's ephemeral ports: an outgoing connection could take such a port before the server listens on it.
const FIRST = 10_000
const LAST = 32_000

export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) return port
  }
  throw new Error('no free port was found')
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer().on('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => void probe.close(() => resolve(true)))
  })
