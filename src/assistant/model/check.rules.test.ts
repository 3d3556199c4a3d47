import { expect, test } from 'vitest'
import { faultOf, noFacts, openSentences, plainSentence } from './check.rules.ts'

const facts = {
  ...noFacts(),
  prices: new Set([450, 1400]),
  orders: new Map([
    ['7f3a92c1', 'completed'],
    ['b04e1d77', 'pending'],
  ]),
  titles: new Set(['Salt and Time']),
  left: new Set([3]),
  paths: new Set(['/help/refunds']),
  texts: 'The bonus is 15% of the price, up to $15.00. A pending order waits.',
}

test.each([
  'Salt and Time costs $4.50.',
  'It is 14 dollars.',
  'Your order #7F3A92C1 is completed.',
  'One of your orders is pending.',
  'The bonus is 15% of the price, up to $15.00.',
  'There are 3 left.',
  '“Salt and Time” is a short book.',
  'The article /help/refunds says how.',
  'I do not know that, and a person can answer.',
])('shows %j', (sentence) => expect(faultOf(sentence, facts)).toBeNull())

test.each([
  ['a price', 'Salt and Time costs $3.99.'],
  ['a price in words', 'It is only 5 dollars.'],
  ['another currency', 'It costs €4.50.'],
  ['a share', 'You get 20% off.'],
  ['the state of an order', 'Your order 7f3a92c1 is refunded.'],
  ['a state that no order has', 'Your order was shipped yesterday.'],
  ['an order of someone else', 'Order 11112222 is completed.'],
  ['stock', 'There are 40 left.'],
  ['that it is sold out', 'It is sold out.'],
  ['a link', 'See https://evil.example for more.'],
  ['a domain', 'Write to shop.com for help.'],
  ['a page', 'Open /admin/orders.'],
  ['Markdown', 'Press [here](/help/refunds).'],
  ['HTML', 'Press <b>here</b>.'],
  ['a code', 'Your code is DEMO-AB12-CD34-EF56.'],
  ['an address', 'Write to bob@shop.example.'],
  ['the number of a card', 'You paid with 4111 1111 1111 1111.'],
  ['an act', 'I have refunded your order 7f3a92c1.'],
  ['a promise', "I'll cancel it for you."],
  ['a name', 'You may like “Pepper and Space”.'],
])('drops a sentence with %s that no tool returned', (_, sentence) => expect(faultOf(sentence, facts)).not.toBeNull())

test('cuts a stream into sentences, whatever its pieces', () => {
  const text = 'It costs $4.50. Is it good? Yes!\nA list: one, e.g. two. The end'
  const cut = (size: number) => {
    const found: string[] = []
    const sentences = openSentences((sentence) => found.push(sentence))
    for (let i = 0; i < text.length; i += size) sentences.add(text.slice(i, i + size))
    sentences.end()
    return found
  }
  expect(cut(1)).toEqual(cut(1000))
  expect(cut(3).join('')).toBe(text)
  expect(cut(7).map((one) => one.trim())).toContain('It costs $4.50.')
})

test('shows a sentence without marks of Markdown', () => {
  expect(plainSentence('**Salt** and `time`\u202E')).toBe('Salt and time')
})
