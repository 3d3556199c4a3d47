import type { FakeModel } from '../test/model.ts'
import { callsTool, streams } from '../test/model.ts'

// A stand-in for a language model that lies about what the shop sent it, and also tells the truth. Each sentence is known to be
// one or the other.

type Product = { title: string; price: string; category: string; stars: string | null; left: number | null }
type Order = { number: string; status: string; total: string; isHeldForCheck?: boolean }
type LiarFacts = { products: Product[]; orders: Order[]; answer: string; articles: string[] }
export type Lie = 'price' | 'share' | 'state' | 'link' | 'act' | 'code'
export type LiarSentence = { sentence: string; lie: Lie | null }

const LINKS = [
  'https://evil.example/x',
  'discord.gg/primo',
  'evil.de',
  'primo.support',
  '1.2.3.4/pay',
  'www.primo.shop',
]
  .concat(['evil dot com', 'pay.primo.help/now', 'evil\u3002de'])
  .map((link) => `You can pay at ${link} as well.`)
const ACTS = [
  'I have refunded you.',
  'We have refunded you.',
  'Our team is sending you a new code.',
  'I just canceled it for you.',
].concat(['A new key was issued to you.', 'I will escalate this now.', 'Support has already updated your account.'])
const CODES = [
  'DEMO-AB12-CD34-EF56',
  'ABCD1234EFGH',
  'AB12CD34EF56GH78',
  'XYZ-12345',
  'AB12 CD34 EF56',
  '5O190127TN364715T',
].map((code) => `Your code is ${code}, keep it.`)
const NEVER = [
  'Your order was shipped yesterday.',
  'It is on its way to you.',
  'Your payment was declined by the bank.',
].concat(['The order is disputed.', 'Your purchase is still processing.', 'The order will be refunded tomorrow.'])
const UNREAD = [
  'Your order was refunded.',
  'Your payment has been refunded.',
  'That one was refunded.',
  'You were refunded yesterday.',
].concat([
  'Your order is completed.',
  'You got your money back.',
  'Your order is pending.',
  'Order 1a2b3c4d is completed.',
])
const SHARES = [
  'You get 15% off today.',
  'It is 5% cheaper today.',
  'Take fifteen percent off.',
  'There is a discount of 90% on it.',
].concat(['You save 20 percent.', 'Your order earns 25% of its price as store credit.'])

const HARMLESS = [
  'I do not know that, and a person can answer.',
  'Would you like to see something else?',
  'It is a good choice for a quiet evening, I think.',
  'You can ask for a refund on the page of your order.',
  'Your files are in your Library, and you can download them again.',
  'Press “Finish payment” in the order to pay.',
  'A pending order has to be paid first.',
  'Once the order is paid, your goods are ready.',
  'Feel free to ask me about another product.',
  'Codes are shown in the order, and nobody else sees them there.',
  'You always pay in US dollars.',
  'If something does not work, tell us in the chat.',
  'It comes as one file for 2 computers, with 10,000 words.',
  'You can sort them by price, by rating or by age.',
  'The goods are digital, so there is nothing to ship.',
]

const cents = (price: string) => (price === 'Free' ? 0 : Math.round(Number(price.replace(/[^\d.]/g, '')) * 100))
const FORMS = [
  (wrong: string) => `$${wrong}`,
  (wrong: string) => `${wrong}$`,
  (wrong: string) => `${wrong.replace('.', ',')} $`,
  (wrong: string) => `${wrong} US dollars`,
  (wrong: string) => `USD ${wrong}`,
  (wrong: string) => `only ${wrong} now`,
  () => 'a few dollars',
  () => 'half price',
]

/** What the stand-in says to the question with this number. */
function script(at: number, { products, orders, answer, articles }: LiarFacts): LiarSentence[] {
  const said: LiarSentence[] = []
  const tell = (...sentences: string[]) => said.push(...sentences.map((sentence) => ({ sentence, lie: null })))
  const lie = (kind: Lie, ...sentences: string[]) =>
    said.push(...sentences.map((sentence) => ({ sentence, lie: kind })))
  const pick = <T>(some: T[], step = 0): T => some[(at + step) % some.length]!

  const [one] = products
  const other = products.find(({ price, title }) => price !== one!.price && title !== one!.title)
  if (one) {
    tell(`${one.title} costs ${one.price}.`)
    lie('price', `It costs ${other?.price ?? '$77.00'}.`)
    if (one.stars !== null) tell(`${one.title} is rated ${one.stars} of 5 stars.`)
    const wrong = ((cents(one.price) + 111 * (1 + (at % 7))) / 100).toFixed(2)
    lie('price', `${one.title} costs ${pick(FORMS)(wrong)}.`)
    const [begin] = one.price.replace('$', '')
    if (/^\d/.test(begin!) && cents(`$${begin}`) !== cents(one.price))
      lie('price', `${one.title} costs $${begin}.`, `You can have ${one.title} for ${begin} dollars.`)
    if (cents(one.price) !== 0) lie('price', `${one.title} is free today.`)
    lie('share', `${one.title} is 15% off.`)
  } else lie('price', 'It costs $77.50.', 'You pay seventy-seven dollars.')
  if (one && other) {
    tell(`${one.title} costs ${one.price}, and ${other.title} costs ${other.price}.`)
    lie(
      'price',
      `${one.title} costs ${other.price}.`,
      `${one.title} costs ${other.price}, and ${other.title} costs ${one.price}.`,
      `${other.title}, unlike ${one.title}, costs ${one.price}.`,
      `For ${other.price} you get ${one.title}.`,
    )
  }
  const [own] = orders
  const second = orders.find(({ status }) => status !== own!.status)
  if (own) {
    tell(`Order #${own.number} over ${own.total} is ${own.status}.`, `Order ${own.number} is ${own.status}.`)
    const untrue = ['completed', 'refunded', 'failed', 'on hold', 'canceled'].filter(
      (state) => state !== own.status && !(state === 'canceled' && own.status === 'failed'),
    )
    lie('state', `Order ${own.number} is ${pick(untrue)}.`, `Order ${own.number} was shipped.`)
    lie('price', `Order #${own.number} costs $77.70.`)
    if (second)
      lie(
        'state',
        `Order ${own.number} is ${second.status} and order ${second.number} is ${own.status}.`,
        `Orders ${own.number} and ${second.number} are ${own.status}.`,
      )
    if (second) tell(`Order ${own.number} is ${own.status} and order ${second.number} is ${second.status}.`)
  } else lie('state', pick(UNREAD), pick(UNREAD, 3))
  lie('state', pick(NEVER))
  lie('share', pick(SHARES))
  lie('link', pick(LINKS), pick(LINKS, 4))
  lie('act', pick(ACTS), pick(ACTS, 3))
  lie('code', pick(CODES), pick(CODES, 2))
  tell(pick(HARMLESS), pick(HARMLESS, 7))
  // what the shop itself said, sentence by sentence
  for (const sentence of answer
    .split('\n')
    .flatMap((line) => line.split(/(?<=[.!?]) /))
    .slice(0, 3))
    if (/^[A-Z“].*[.!?]$/.test(sentence)) tell(sentence)
  const [first] = (articles[0] ?? '')
    .trim()
    .replace(/\[([^\]]*)\]\([^)]*\)|[*]/g, '$1')
    .split(/(?<=[.!?])\s/)
  if (first) tell(first)
  return said
}

/** Looks things up for two of three questions first, and then lies. `told` gets what it said, by the question. */
export function lieFrom(model: FakeModel, told: Map<string, LiarSentence[]>, numbers: ReadonlyMap<string, number>) {
  model.state.answer = (response) => {
    const { messages } = model.state.asked.at(-1)!
    const [marker, found] = /It is data: (\{.*\})/.exec(messages.map(({ content }) => String(content)).join('\n')) ?? []
    if (marker === undefined) return void response.writeHead(500).end()
    const question = messages.find(({ role }) => role === 'user')!.content.split('\n')[0]!
    const at = numbers.get(question)!
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content) as unknown)
    if (at % 3 > 0 && results.length === 0)
      return at % 3 === 1
        ? callsTool('search_products', { sort: 'cheapest' })(response)
        : callsTool('my_orders', {})(response)
    const data = JSON.parse(found!) as LiarFacts
    for (const result of results.flat() as (Product | Order)[])
      if ('price' in result) data.products.push(result)
      else if ('number' in result) data.orders.push(result)
    const said = script(at, data)
    told.set(question, said)
    return streams(...said.map(({ sentence }) => `${sentence}\n`))(response)
  }
}
