import { expect, test } from 'vitest'
import { MEANT, SURE } from './certainty.rules.ts'
import { asSentence, meaningsOf } from './meanings.rules.ts'

const written = new Map([
  ['orders', ['where is my order', 'list my orders']],
  ['code', ['where is my code']],
  ['help:refunds', ['how do i get a refund', 'refund policy']],
  ['help:codes', ['report a bad code']],
  ['thanks', ['thanks']],
])
const near = (intent: string, score: number, text = written.get(intent)?.[0] ?? '') => ({ intent, score, text })
const meant = { answered: '', ranked: [], written, product: null }

test('offers the three best meanings, without the answered one and small talk', () => {
  const ranked = [
    near('help:refunds', 0.9, 'refund policy'),
    near('thanks', 0.8),
    near('orders', 0.7, 'list my orders'),
    near('code', 0.6),
    near('help:codes', 0.5),
  ]
  expect(meaningsOf({ ...meant, ranked })).toEqual(['Refund policy', 'List my orders', 'Where is my code?'])
  expect(meaningsOf({ ...meant, ranked, answered: 'help:refunds' })).toEqual([
    'List my orders',
    'Where is my code?',
    'Report a bad code',
  ])
})

test('offers nothing that is too far from the question', () => {
  expect(meaningsOf({ ...meant, ranked: [near('code', MEANT.least - 0.01)] })).toEqual([])
})

test('shows no question that staff added', () => {
  const ranked = [near('lesson:7', 0.9, 'Where does Ada live'), near('help:refunds', 0.8, 'Ada wants her money')]
  expect(meaningsOf({ ...meant, ranked })).toEqual(['How do I get a refund?'])
})

test('offers the matching product in the order of scores if its title is short enough to send', () => {
  const ranked = [near('orders', 0.9), near('code', 0.3)]
  const titled = (title: string, score = 0.5) => meaningsOf({ ...meant, ranked, product: { title, score } })
  expect(titled('Night *Trains*')).toEqual(['Where is my order?', 'Tell me about Night Trains', 'Where is my code?'])
  expect(titled('Night Trains', SURE.least - 0.01)).toHaveLength(2)
  expect(titled('Night Trains '.repeat(9))).toHaveLength(2)
})

test.each([
  ['do i have store credit left', 'Do I have store credit left?'],
  ['turn on 2fa', 'Turn on 2fa'],
  ['i paid but got nothing', 'I paid but got nothing'],
])('writes %j as %j', (example, sentence) => {
  expect(asSentence(example)).toBe(sentence)
})
