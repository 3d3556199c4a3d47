import { expect, onTestFinished, test } from 'vitest'
import { openThreads } from './threads.server.ts'

/** Returns its input, loops forever at 'loop', fills its memory at 'fill', and throws at 'fail'. */
const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage({ isReady: true })
    parentPort.on('message', (input) => {
      const all = []
      while (input === 'loop');
      while (input === 'fill') all.push(new Array(100_000).fill(all.length))
      parentPort.postMessage(input === 'fail' ? { error: 'no', code: 'ENOSPC' } : { value: input })
    })`)}`,
)

function open({ mostWaiting = 10, limitMs = 60_000 } = {}) {
  const threads = openThreads<string, string>({ script: SCRIPT, limitMs, memoryMb: 32, mostWaiting })
  onTestFinished(threads.close)
  return threads
}

test.each([
  ['loop', { limitMs: 3_000 }, { limit: 'time' }],
  ['fill', {}, { limit: 'memory' }],
  ['fail', {}, { code: 'ENOSPC' }],
])(
  'terminates the thread of the input %s and runs the next input',
  { timeout: 60_000 },
  async (input, terms, reason) => {
    const { run } = open(terms)
    const failed = run(input)
    const next = run('next')
    await expect(failed).rejects.toMatchObject(reason)
    expect([await next, await run('again')]).toEqual(['next', 'again'])
  },
)

test('refuses a second input of an account, and inputs beyond the queue limit', { timeout: 60_000 }, async () => {
  const { run } = open({ mostWaiting: 1 })
  const first = run('a', { account: 'ada' })
  await expect(run('b', { account: 'ada' })).rejects.toMatchObject({ status: 429, retryAfter: 5 })
  const second = run('c', { account: 'bob' })
  await expect(run('d', { account: 'eve' })).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  expect(await Promise.all([first, second])).toEqual(['a', 'c'])
  expect(await run('e', { account: 'ada' })).toBe('e')
})
