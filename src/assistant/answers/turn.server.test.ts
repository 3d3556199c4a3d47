import { expect, test } from 'vitest'
import { nextTurn } from './turn.server.ts'

test('runs one piece of work per turn of the event loop and lets other work run in between', async () => {
  const done: string[] = []
  const work = async (name: string) => {
    for (let piece = 1; piece <= 2; piece++) {
      await nextTurn()
      done.push(name + piece)
    }
  }
  const all = Promise.all(['a', 'b', 'c'].map(work))
  const between: number[] = []
  while (done.length < 6) {
    await new Promise((resolve) => setImmediate(resolve))
    between.push(done.length)
  }
  await all
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  expect(between.slice(-6)).toEqual([1, 2, 3, 4, 5, 6])
})
