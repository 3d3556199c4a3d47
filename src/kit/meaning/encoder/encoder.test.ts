import { expect, test } from 'vitest'
import { nearness, tuneTo } from '../vector.rules.ts'
import { openEncoder } from './encoder.server.ts'
import { createTokenizer } from './tokens.rules.ts'

const encode = openEncoder()
const QUESTION = 'How do I get a refund for my order?'

// Computed with the original packages.
const NEARNESS: [string, number][] = [
  [QUESTION, 1],
  ['I want my money back', 0.3951],
  ['Which gift cards work in Japan?', 0.4304],
  ['refund', 0.5253],
  ['zażółć 😀 ☃', 0.0508],
  ['word '.repeat(200), -0.0664],
]

test('computes the embeddings of the original model', () => {
  const first = [0.0563, -0.0564, 0.0559, -0.0576, 0.0507, -0.055]
  const found = encode(QUESTION)
  expect(first.every((value, i) => Math.abs(found[i]! - value) < 0.002)).toBe(true)
  const question = tuneTo(encode(QUESTION))
  for (const [text, expected] of NEARNESS)
    expect(Math.abs(nearness(question, tuneTo(encode(text))) - expected), text).toBeLessThan(0.01)
})

test('encodes a text without words', () => {
  expect(encode('')).toHaveLength(512)
  expect(encode('').every(Number.isFinite)).toBe(true)
})

const pieces = ['', '', '', '', '', '', '▁', 'a', 'b', '▁ab', 'abc'].map((text, id) => ({ text, score: -id }))

test.each([
  ['', []],
  ['ab', [9]],
  ['ba', [6, 8, 7]],
  ['☃☃', [6, 0]],
  ['a☃a', [6, 7, 0, 7]],
])('splits %j into the most probable pieces', (text, ids) => {
  expect(createTokenizer(pieces)(text)).toEqual(ids)
})
