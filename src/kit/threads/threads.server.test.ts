import { expect, onTestFinished, test } from 'vitest'
import { openThreads } from './threads.server.ts'

/** Answers its input, loops for ever at 'loop', fills its memory at 'fill', and fails at 'fail'. */
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

function open(mostWaiting = 10) {
  const threads = openThreads<string, string>({ script: SCRIPT, limitMs: 1_000, memoryMb: 32, mostWaiting })
  onTestFinished(threads.close)
  return threads
}

test('ends work that takes too long or too much memory, and goes on with the next', { timeout: 60_000 }, async () => {
  const { run } = open()
  const asked = ['a', 'loop', 'b', 'fill', 'c', 'fail', 'd'].map((input) => run(input))
  const answers = await Promise.allSettled(asked)
  expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : { ...one.reason }))).toEqual([
    ...['a', { limit: 'time' }, 'b', { limit: 'memory' }, 'c', { code: 'ENOSPC' }, 'd'],
  ])
})

test('refuses a second work of an account and more work than may wait', { timeout: 60_000 }, async () => {
  const { run } = open(1)
  const first = run('a', { account: 'ada' })
  await expect(run('b', { account: 'ada' })).rejects.toMatchObject({ status: 429, retryAfter: 5 })
  const second = run('c', { account: 'bob' })
  await expect(run('d', { account: 'eve' })).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  expect(await Promise.all([first, second])).toEqual(['a', 'c'])
  expect(await run('e', { account: 'ada' })).toBe('e')
})
