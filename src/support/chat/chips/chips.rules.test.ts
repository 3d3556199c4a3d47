import { expect, test } from 'vitest'
import type { ChatMessage, OrderLink, ProductLink } from '../chat.contract.ts'
import { chipsOf, MAX_CHIPS, NOT_MEANT } from './chips.rules.ts'

const ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const answer: ChatMessage = {
  ...{ id: ID, message: 'An answer.', isFromUser: false, isFromAdmin: false, staffName: null, createdAt: '' },
  ...{ articles: [], products: [], orders: [], isUnsure: false, offersPerson: false, isStopped: false },
  ...{ isByMail: false, rating: null },
}
const order: OrderLink = { id: ID, status: 'completed', total: '5.00', createdAt: '', items: 1, opens: null }
const product: ProductLink = {
  ...{ id: ID, title: 'Night Trains', price: '8.50', suggested: null, most: null },
  ...{ categoryId: 'audio', category: 'Audio', imageUrl: null },
}
const article = { slug: 'refunds', title: 'Request a refund' }

test.each<[name: string, given: Partial<ChatMessage>, labels: string[]]>([
  ['an order', { orders: [order] }, ['Open the order', 'Ask for a refund']],
  [
    'an order with codes',
    { orders: [{ ...order, opens: 'code' }] },
    ['Open the order', 'Report a bad code', 'Ask for a refund'],
  ],
  ['an unpaid order', { orders: [{ ...order, status: 'pending' }] }, ['Open the order', 'Cancel my order']],
  ['a failed order', { orders: [{ ...order, status: 'failed' }] }, ['Open the order', 'Why did it fail?']],
  [
    'a refunded order',
    { orders: [{ ...order, status: 'refunded' }] },
    ['Open the order', 'How long does a refund take?'],
  ],
  ['several orders', { orders: [order, order], articles: [article] }, ['Open my orders']],
  ['a product', { products: [product] }, ['Show the product', 'Add to cart', 'Something similar']],
  ['a product with variants', { products: [{ ...product, most: '12.00' }] }, ['Show the product', 'Something similar']],
  [
    'a product whose price buyers choose',
    { products: [{ ...product, suggested: '9.00' }] },
    ['Show the product', 'Something similar'],
  ],
  ['several products', { products: [product, product] }, ['Something cheaper', 'Compare them']],
  ['an article', { articles: [article] }, ['Read the article', 'Ask a person']],
  [
    'an article that may miss',
    { articles: [article], isUnsure: true, offersPerson: true },
    ['Ask a person', 'Read the article'],
  ],
  [
    'nothing found',
    { isUnsure: true, offersPerson: true },
    ['Ask a person', 'What do you sell?', 'Where is my order?'],
  ],
  ['small talk', {}, ['What do you sell?', 'Where is my order?']],
])('the next steps after %s', (_, given, labels) => {
  const chips = chipsOf({ ...answer, ...given })
  expect(chips.map(({ label }) => label)).toEqual([...labels, NOT_MEANT])
  expect(chips.length).toBeLessThanOrEqual(MAX_CHIPS)
})

test('chips lead to the order, the product and the article of the answer', () => {
  const hrefs = [{ orders: [order] }, { products: [product] }, { articles: [article] }]
    .flatMap((given) => chipsOf({ ...answer, ...given }))
    .flatMap((chip) => (chip.kind === 'link' ? [chip.href] : []))
  expect(hrefs).toEqual([`/orders/${ID}`, `/product/${ID}`, '/help/refunds'])
})
