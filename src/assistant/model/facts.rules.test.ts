import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draft } from '../answers/draft.rules.ts'
import { addFact, type Facts, openChoice } from './facts.rules.ts'

const local = draft({ intent: 'price', confidence: 0.4, text: 'Hours costs $5.00.', products: ['hours'] })

function openFacts(...texts: string[]): Facts {
  const facts: Facts = new Map()
  addFact(facts, 'answer', local)
  for (const text of texts) addFact(facts, 'more', { text, products: [text], orders: [text], sources: [`/${text}`] })
  return facts
}

test('equal sentences share one id', () => {
  const facts = openFacts('a', 'b')
  expect(addFact(facts, 'price', { text: 'Hours costs $5.00.' })).toEqual({
    id: 'answer-1',
    says: 'Hours costs $5.00.',
  })
  expect([...facts.keys()]).toEqual(['answer-1', 'more-2', 'more-3'])
})

test('equal sentences about different products have different ids', () => {
  const facts: Facts = new Map()
  const price = (id: string) => addFact(facts, 'price', { text: 'Windows 11 Pro costs $5.00.', products: [id] }).id
  expect([price('first'), price('second'), price('first')]).toEqual(['price-1', 'price-2', 'price-1'])
})

test('an answer has the texts, cards and pages of the chosen facts, in the order of the model', () => {
  const choice = openChoice(openFacts('a', 'b'))
  expect(choice.read(['more-3', 'answer-1'])).toBe(true)
  expect(choice.answer(local)).toMatchObject({
    ...{ text: 'b\nHours costs $5.00.', products: ['b', 'hours'], orders: ['b'], sources: ['/b'] },
    ...{ intent: 'price', confidence: 0.5, isUnsure: false },
  })
})

test('ignores an id that repeats in the same turn or the next one', () => {
  const choice = openChoice(openFacts('a', 'b'))
  expect([['more-2'], ['more-2', 'more-2'], ['more-3']].map(choice.read)).toEqual([true, false, true])
  expect(choice.text()).toBe('a\nb')
})

test('returns no answer without a fact, and counts each unknown id once', () => {
  const choice = openChoice(openFacts('a'))
  expect(choice.read(['more-9', 'more-9', 'It costs $1.99.', '__proto__'])).toBe(false)
  expect(choice.answer(local)).toBeNull()
  expect(choice.dropped()).toBe(3)
})

test('an answer is unsure if the local assistant or a chosen fact is unsure', () => {
  const facts = openFacts('a')
  const { id } = addFact(facts, 'unknown', { text: 'I do not know.', isUnsure: true, offersPerson: true })
  const answer = (ids: string[], own = local) => {
    const choice = openChoice(facts)
    choice.read(ids)
    return choice.answer(own)
  }
  expect(answer(['more-2', id])).toMatchObject({ isUnsure: true, offersPerson: true })
  expect(answer(['more-2'])).toMatchObject({ isUnsure: false, offersPerson: false })
  expect(answer(['more-2'], { ...local, isUnsure: true })).toMatchObject({ isUnsure: true, confidence: 0.4 })
})

test('shows at most five sentences of the shop and 1,500 characters for any ids', () => {
  const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'.repeat(900), 'h'.repeat(800)]
  const facts = openFacts(...texts)
  const anyId = fc.oneof(fc.constantFrom(...facts.keys()), fc.string(), fc.constantFrom(...texts))
  fc.assert(
    fc.property(fc.array(fc.array(anyId)), (turns) => {
      const choice = openChoice(facts)
      turns.forEach((ids) => choice.read(ids))
      const shown = choice.text() === '' ? [] : choice.text().split('\n')
      expect(shown.length).toBeLessThanOrEqual(5)
      expect(new Set(shown).size).toBe(shown.length)
      expect(choice.text().length).toBeLessThanOrEqual(1500)
      for (const sentence of shown) expect([local.text, ...texts]).toContain(sentence)
    }),
  )
})
