import type { ChatMessage, OrderLink, ProductLink } from '../chat.contract.ts'

/** A next step under an answer. The assistant understands each `message`. */
export type Chip = { label: string } & (
  | { kind: 'link'; href: string }
  | { kind: 'send'; message: string }
  | { kind: 'cart'; product: ProductLink }
  | { kind: 'person' | 'meanings' }
)

export const MAX_CHIPS = 4
export const NOT_MEANT = 'Not what I meant'

const link = (label: string, href: string): Chip => ({ kind: 'link', label, href })
const send = (label: string, message = label): Chip => ({ kind: 'send', label, message })
const PERSON: Chip = { kind: 'person', label: 'Ask a person' }

/** Returns the next steps by what the answer contains. The last one corrects a wrong answer. */
export function chipsOf(answer: ChatMessage): Chip[] {
  const steps = answer.offersPerson ? [PERSON, ...stepsOf(answer)] : stepsOf(answer)
  const first = steps.filter(({ label }, i) => steps.findIndex((step) => step.label === label) === i)
  return [...first.slice(0, MAX_CHIPS - 1), { kind: 'meanings', label: NOT_MEANT }]
}

function stepsOf({ orders, products, articles }: ChatMessage): Chip[] {
  const [order] = orders
  const [product] = products
  const [article] = articles
  if (order) return orders.length > 1 ? [link('Open my orders', '/orders')] : stepsOfOrder(order)
  if (product) return products.length > 1 ? STEPS_OF_PRODUCTS : stepsOfProduct(product)
  if (article) return [link('Read the article', `/help/${article.slug}`), PERSON]
  return STARTS
}

const STEPS_OF_PRODUCTS = [send('Something cheaper'), send('Compare them')]
const STARTS = [send('What do you sell?'), send('Where is my order?')]

function stepsOfOrder({ id, status, opens }: OrderLink): Chip[] {
  const open = link('Open the order', `/orders/${id}`)
  const refund = send('Ask for a refund', 'How can I get a refund for my order?')
  if (status === 'completed') return [open, ...(opens === 'code' ? [send('Report a bad code')] : []), refund]
  if (status === 'pending') return [open, send('Cancel my order')]
  if (status === 'failed') return [open, send('Why did it fail?', 'Why did my order fail?')]
  return [open, send('How long does a refund take?')]
}

function stepsOfProduct(product: ProductLink): Chip[] {
  const hasOnePrice = product.suggested === null && product.most === null
  return [
    link('Show the product', `/product/${product.id}`),
    ...(hasOnePrice ? [{ kind: 'cart' as const, label: 'Add to cart', product }] : []),
    send('Something similar'),
  ]
}
