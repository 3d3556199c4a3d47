import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { openThreads } from './threads.server.ts'

/** Returns its input. Loops at 'loop', fills memory at 'fill' and buffers at 'hoard', and throws at 'fail'. */
const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage({ isReady: true })
    parentPort.on('message', (input) => {
      const all = []
      while (input === 'loop');
      while (input === 'hoard') if (all.length < 200) all.push(new Uint8Array(1_000_000).fill(1))
      while (input === 'fill') all.push(new Array(100_000).fill(all.length))
      parentPort.postMessage(input === 'fail' ? { error: 'no', code: 'ENOSPC' } : { value: input })
    })`)}`,
)

function open({ mostWaiting = 10, limitMs = 60_000, size = 1 } = {}) {
  const limits = { limitMs, memoryMb: 32, bufferMb: 64 }
  const threads = openThreads<string, string>({ script: SCRIPT, size, ...limits, mostWaiting })
  onTestFinished(threads.close)
  return threads
}

test.each([
  ['loop', { limitMs: 3_000 }, { limit: 'time', status: 503, retryAfter: 5 }],
  ['fill', {}, { limit: 'memory', status: 503, retryAfter: 5 }],
  ['hoard', { limitMs: 10_000 }, { limit: 'memory', status: 503, retryAfter: 5 }],
  ['fail', {}, { code: 'ENOSPC' }],
])(
  'terminates the thread after the input %s and runs the next input',
  { timeout: 60_000 },
  async (input, terms, reason) => {
    const { run } = open(terms)
    const failed = run(input, null)
    const next = run('next', null)
    await expect(failed).rejects.toMatchObject(reason)
    expect([await next, await run('again', null)]).toEqual(['next', 'again'])
  },
)

test('limits the buffers of a thread that cannot report them, as on Node 20', { timeout: 60_000 }, async () => {
  const method = Object.getOwnPropertyDescriptor(Worker.prototype, 'getHeapStatistics')
  Reflect.deleteProperty(Worker.prototype, 'getHeapStatistics')
  onTestFinished(() => void (method && Object.defineProperty(Worker.prototype, 'getHeapStatistics', method)))
  const { run } = open({ limitMs: 10_000 })
  expect(await run('small', null)).toBe('small')
  await expect(run('hoard', null)).rejects.toMatchObject({ limit: 'memory' })
  expect(await run('next', null)).toBe('next')
})

test('runs one input of an account at a time, even if a thread is free', { timeout: 60_000 }, async () => {
  const { run } = open({ size: 2, limitMs: 3_000 })
  const ended: string[] = []
  const note = (name: string) => () => void ended.push(name)
  const slow = run('loop', 'ada').catch(note('loop'))
  const second = run('second', 'ada').then(note('second'))
  await run('other', 'bob').then(note('other'))
  await Promise.all([slow, second])
  expect(ended).toEqual(['other', 'loop', 'second'])
})

test('serves the accounts in turn, and rejects inputs beyond an account’s share', { timeout: 60_000 }, async () => {
  const { run } = open({ mostWaiting: 8 })
  const ended: string[] = []
  const all = [
    ['a1', 'ada'],
    ['a2', 'ada'],
    ['a3', 'ada'],
    ['b1', 'bob'],
  ] as const
  const runs = all.map(([input, account]) => run(input, account).then((output) => ended.push(output)))
  await expect(run('a4', 'ada')).rejects.toMatchObject({ status: 429, retryAfter: 5 })
  await Promise.all(runs)
  expect(ended).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('rejects an input when the queue is full', { timeout: 60_000 }, async () => {
  const { run } = open({ mostWaiting: 1 })
  const [first, second] = [run('a', 'ada'), run('b', 'bob')]
  await expect(run('c', 'eve')).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  expect(await Promise.all([first, second])).toEqual(['a', 'b'])
})

test('loads an input when its turn comes, and frees the thread if that fails', { timeout: 60_000 }, async () => {
  const { run, runLoaded } = open({ limitMs: 3_000 })
  const loaded: string[] = []
  const load = (input: string) => async () => {
    loaded.push(input)
    if (input === 'gone') throw new Error('the file is gone')
    return input
  }
  const first = expect(run('loop', 'ada')).rejects.toMatchObject({ limit: 'time' })
  const gone = expect(runLoaded(load('gone'), 'bob')).rejects.toThrow('the file is gone')
  const last = runLoaded(load('last'), 'eve')
  expect(loaded).toEqual([])
  await Promise.all([first, gone])
  expect(await last).toBe('last')
  expect(loaded).toEqual(['gone', 'last'])
})
