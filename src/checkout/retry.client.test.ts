import { expect, test } from 'vitest'
import { Failure } from '../kit/failure.ts'
import { isLost, retryUnanswered } from './retry.client.ts'

const after = (errors: unknown[]) => {
  let asked = 0
  const send = async () => {
    const error = errors[asked++]
    if (error) throw error
    return 'answer'
  }
  return { send, asked: () => asked }
}
const lost = new TypeError('Failed to fetch')

test.each([
  ['an answer is taken', [], 1],
  ['a lost answer is asked for again', [lost, lost], 3],
  ['a server that could not say is asked again', [new Failure(503, '503: busy')], 2],
])('retries only requests without a reply: %s', async (_name, errors, times) => {
  const { send, asked } = after(errors)
  expect(await retryUnanswered(send, [0, 0, 0])).toBe('answer')
  expect(asked()).toBe(times)
})

test('stops at a refusal and after three retries without an answer', async () => {
  const refused = after([new Failure(409, '409: sold out')])
  await expect(retryUnanswered(refused.send, [0, 0, 0])).rejects.toThrow('sold out')
  expect(refused.asked()).toBe(1)
  const away = after([new Failure(503, '503: away', 'provider_away')])
  await expect(retryUnanswered(away.send, [0, 0, 0])).rejects.toThrow('away')
  expect(away.asked()).toBe(1)
  const silent = after([lost, lost, lost, lost, lost])
  await expect(retryUnanswered(silent.send, [0, 0, 0])).rejects.toThrow('Failed to fetch')
  expect(silent.asked()).toBe(4)
})

test('counts only a missing response as lost', () => {
  expect([lost, new Failure(503, '503: busy'), new Failure(409, '409: sold out')].map(isLost)).toEqual([
    true,
    false,
    false,
  ])
})
