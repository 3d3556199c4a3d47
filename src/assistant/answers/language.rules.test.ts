import { expect, test } from 'vitest'
import { otherLanguage } from './language.rules.ts'

const NONE = new Set<string>()

test.each([
  ['Wie bekomme ich mein Geld zurück?', /Englisch/],
  ['wo ist meine bestellung', /Englisch/],
  ['Hallo', /Englisch|Engels/],
  ['Où est ma commande ?', /anglais/],
  ['¿Dónde está mi pedido?', /inglés/],
  ['Quanto costa il libro?', /inglese/],
  ['Onde está o meu pedido?', /inglês/],
  ['Hoe krijg ik mijn geld terug?', /Engels/],
  ['где мой заказ', /^$/],
  ['我的订单在哪里', /^$/],
])('answers %j in its language', (typed, answer) => expect(otherLanguage(typed, NONE)).toMatch(answer))

test.each([
  'hello',
  'no',
  'How do I get a refund?',
  'do you sell la maison du pain',
  'in e-books only',
  'I will die, help',
  'cheapest audio',
  'pour',
  'red hat bin',
  'Morning Bells 音楽',
  '20',
  '',
  '???',
])('%j is English enough', (typed) => expect(otherLanguage(typed, NONE)).toBeNull())

test('words of products do not determine the language', () => {
  expect(otherLanguage('der mit dem wolf', NONE)).toMatch(/Englisch/)
  expect(otherLanguage('der mit dem wolf', new Set(['der', 'mit', 'dem', 'wolf']))).toBeNull()
})
