import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openBus } from './bus.server.ts'
import { setLogLevel } from './log/log.server.ts'

let url: string
let drop: () => Promise<void>

beforeAll(async () => {
  setLogLevel('silent')
  ;({ url, drop } = await createTestDatabase())
})
afterAll(() => drop())

/** A proxy between the shop and its database. It can drop all data silently, as a firewall does. */
async function openWire() {
  const { hostname, port } = new URL(url)
  const ends: Socket[] = []
  let isCut = false
  let swallowed: string | undefined
  let swallows = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    ends.push(near, far)
    near.on('data', (bytes) => {
      if (isCut) return
      if (swallowed === undefined || !bytes.includes(swallowed)) far.write(bytes)
      else swallows++
    })
    far.on('data', (bytes) => !isCut && near.write(bytes))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined)
      from.on('close', () => !isCut && to.destroy())
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const through = new URL(url)
  through.port = String((server.address() as { port: number }).port)
  through.hostname = '127.0.0.1'
  return {
    url: through.href,
    cut: () => (isCut = true),
    mend: () => (isCut = false),
    /** Drops chunks that contain this text and forwards the others. */
    swallow: (text?: string) => (swallowed = text),
    swallows: () => swallows,
    /** Returns the number of open client connections. */
    open: () => ends.filter((end, i) => i % 2 === 0 && !end.destroyed).length,
    close: () => {
      for (const end of ends) end.destroy()
      server.close()
    },
  }
}

test('notices a silently dead connection within 5 s, evicts everything and reconnects', async () => {
  const wire = await openWire()
  const bus = await openBus(wire.url)
  const heard: (string | null)[] = []
  await bus.listen('somewhere', (payload) => heard.push(payload))
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  const tell = (payload: string) => other.query(`SELECT pg_notify('somewhere', $1)`, [payload])
  await tell('one')
  await vi.waitFor(() => expect(heard).toEqual(['one']), 5000)
  wire.cut()
  await vi.waitFor(() => expect(bus.isUp()).toBe(false), 5000)
  expect(heard.at(-1)).toBe(null)
  wire.mend()
  await vi.waitFor(() => expect(bus.isUp()).toBe(true), 10_000)
  await tell('two')
  await vi.waitFor(() => expect(heard.at(-1)).toBe('two'), 5000)
  await other.end()
  await bus.close()
  wire.close()
})

test('tries another connection when one dies while it subscribes', async () => {
  const wire = await openWire()
  const bus = await openBus(wire.url, { beatMs: 50, patienceMs: 100 })
  await bus.listen('somewhere', () => undefined)
  wire.cut()
  await vi.waitFor(() => expect(bus.isUp()).toBe(false), 5000)
  wire.swallow('LISTEN')
  wire.mend()
  await vi.waitFor(() => expect(wire.swallows()).toBeGreaterThan(1), 5000)
  wire.swallow(undefined)
  await vi.waitFor(() => expect(bus.isUp()).toBe(true), 5000)
  await vi.waitFor(() => expect(wire.open()).toBe(1), 5000)
  await bus.close()
  wire.close()
})

test('runs one query at a time on its connection', async () => {
  // pg warns when a second query is queued on a client without pipelining
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const bus = await openBus(url, { beatMs: 1 })
  await Promise.all(Array.from({ length: 5 }, (_, i) => bus.listen(`place ${i}`, () => undefined)))
  await bus.close()
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})
