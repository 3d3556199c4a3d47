import { expect, onTestFinished, test } from 'vitest'
import { setLogLevel } from '../log/log.server.ts'
import { openMeaning } from './meaning.server.ts'

/** Runs `code` in the thread in place of the model. */
function openWith(code: string, idleMs = 60_000) {
  setLogLevel('silent')
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`,
  )
  const meaning = openMeaning({ script, idleMs })
  onTestFinished(meaning.stop)
  return meaning
}
/** A fake model: its vectors contain the number of the batch and the size of the batch. */
const counts = (ms = 0) => `let part = 0
parentPort.on('message', ({ texts }) => {
  part++
  const vectors = texts.map(() => Float32Array.from([part, texts.length, 100]))
  setTimeout(() => parentPort.postMessage({ vectors }), ${ms})
})`

test('processes questions before background texts, in batches of eight', async () => {
  const meaning = openWith(counts())
  const partsOf = async (texts: string[], patienceMs?: number) =>
    (await meaning.of(texts, patienceMs))!.map(({ steps: [part, count] }) =>
      [part!, count!].map((step) => Math.round(step / 1.27)),
    )
  const name = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix} ${i}`)
  const learned = partsOf(name('article', 8))
  const asked = Promise.all(name('question', 9).map((text) => partsOf([text], 10_000)))
  const parts = (found: number[][]) => found.map(([part]) => part)
  expect(parts((await asked).flat())).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 3])
  expect(parts(await learned)).toEqual([1, 1, 1, 1, 4, 4, 4, 4])
  expect((await asked)[0]).toEqual([[2, 8]])
  // a cached text needs no thread
  await meaning.stop()
  expect(parts(await partsOf(['question 3']))).toEqual([2])
  expect(meaning.isAwake()).toBe(false)
})

test.each([
  ['cannot start', 'throw new Error("no memory")'],
  ['ends', 'parentPort.once("message", () => process.exit(1))'],
  ['answers with an error', 'parentPort.on("message", () => parentPort.postMessage({ error: "bad" }))'],
])('returns null when the thread %s', async (_, code) => {
  const meaning = openWith(code)
  expect(await meaning.of(['a', 'b'], 10_000)).toBeNull()
  expect(await meaning.of(['c'])).toBeNull()
})

test('times out a question and removes it from the queue of the model', async () => {
  const meaning = openWith(counts(40))
  const first = meaning.of(['a'], 10_000)
  expect(await meaning.of(['b'], 5)).toBeNull()
  const [last] = (await meaning.of(['c'], 10_000))!
  expect((await first)![0]!.steps).toEqual(Int8Array.from([1, 1, 127]))
  expect(last!.steps).toEqual(Int8Array.from([3, 1, 127]))
})

test('a timed-out question does not remove another question with the same text', async () => {
  const meaning = openWith(counts(40))
  const first = meaning.of(['a'], 10_000)
  const patient = meaning.of(['b'], 10_000)
  expect(await meaning.of(['b'], 5)).toBeNull()
  expect(await patient).toHaveLength(1)
  await first
})

test('stops the thread when it is idle and starts it for the next text', async () => {
  const meaning = openWith(counts(), 20)
  expect(await meaning.of(['a'])).toHaveLength(1)
  await expect.poll(meaning.isAwake, { interval: 5 }).toBe(false)
  expect(await meaning.of(['b'])).toHaveLength(1)
})
