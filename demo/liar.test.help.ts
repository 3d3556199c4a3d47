import type { Answering } from '../test/wire.ts'
import { callsTool, cutInTwo, factsIn, type FakeModel, streams } from '../test/model.ts'

// A fake language model that returns lies mixed with ids of true facts. Some answers are not a list of ids.

export type Lie = 'price' | 'share' | 'state' | 'link' | 'act' | 'code' | 'id'
export type Told = { truths: string[]; lies: { kind: Lie; text: string }[]; isList: boolean }

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
const STATES = ['completed', 'refunded', 'failed', 'on hold', 'canceled', 'pending']
/** Almost the id of a fact, an id of another question, and property names that every object has. */
const IDS: ((id: string) => string)[] = [
  (id) => `${id} `,
  (id) => id.toUpperCase(),
  (id) => id.replace(/-\d+$/, ''),
  (id) => `${id}0`,
  () => 'order-99',
  () => '__proto__',
  () => 'constructor',
  () => '',
]
/** Answers that are not a list of ids. */
const FORMLESS: ((texts: string[]) => string)[] = [
  (texts) => texts.join('\n'),
  (texts) => `<html><p>${texts.join('</p><p>')}</p></html>`,
  (texts) => JSON.stringify({ elements: texts.join(' ') }),
  (texts) => JSON.stringify({ elements: texts.map((text) => ({ id: text, says: text })), text: texts }),
  (texts) => `Of course! ${texts.join(' ')} {"elements": [`,
  (texts) => JSON.stringify({ elements: texts }).slice(0, -5),
  (texts) => JSON.stringify({ elements: [texts.join(' ').repeat(Math.ceil(10_000_000 / texts.join(' ').length))] }),
]

const MAX_TRUTHS = 4
const MAX_LENGTH = 1_400

/** The answer to the question with this number. */
function script(at: number, facts: Map<string, string>): Told {
  const lies: Told['lies'] = []
  const lie = (kind: Lie, ...texts: string[]) => lies.push(...texts.map((text) => ({ kind, text })))
  const pick = <T>(some: T[], step = 0): T => some[(at + step) % some.length]!
  const says = [...facts.keys()]
  const all = [says[0]!, pick(says), pick(says, 3), pick(says, 5)]
  const truths = [...new Set(all)].slice(0, MAX_TRUTHS)
  while (truths.join('\n').length > MAX_LENGTH) truths.pop()

  const wrong = `${7 + (at % 90)}.77`
  const priced = says.filter((text) => /\$\d/.test(text))
  lie('price', 'It costs $77.50.', 'You pay seventy-seven dollars.', `It is ${pick(FORMS)(wrong)}.`)
  for (const text of priced.slice(0, 2))
    lie('price', text.replaceAll(/\$[\d,.]*\d/g, pick(FORMS)(wrong)), text.replaceAll(/\$[\d,.]*\d/g, 'free'))
  const ordered = says.filter((text) => /^Order #/.test(text))
  for (const text of ordered.slice(0, 2)) {
    const untrue = STATES.filter((state) => !text.includes(` is ${state}`))
    lie('state', text.replace(/ is \w+(?: \w+)?:.*/, ` is ${pick(untrue)}.`), text.replace(/ is .*/, ' was shipped.'))
  }
  lie('state', pick(NEVER), pick(UNREAD), pick(UNREAD, 3))
  lie('share', pick(SHARES), pick(SHARES, 2))
  lie('link', pick(LINKS), pick(LINKS, 4))
  lie('act', pick(ACTS), pick(ACTS, 3))
  lie('code', pick(CODES), pick(CODES, 2))
  lie('id', pick(IDS)(facts.get(truths[0]!)!), pick(IDS, 3)(facts.get(truths[0]!)!))
  return { truths, lies, isList: at % 5 < 4 }
}

/** Mixes the ids of the true facts with the lies. */
function listOf({ truths, lies }: Told, facts: Map<string, string>): string {
  const elements = lies.map(({ text }) => text)
  truths.forEach((says, i) => elements.splice(3 * i, 0, facts.get(says)!))
  return JSON.stringify({ elements })
}

/** Answers with lies, after a tool call for two of three questions. `told` gets the answers by question. */
export function lieFrom(model: FakeModel, told: Map<string, Told>, numbers: ReadonlyMap<string, number>) {
  model.state.answer = (response) => {
    const asked = model.state.asked.at(-1)!
    const { messages } = asked
    const question = messages.find(({ role }) => role === 'user')!.content.split('\n')[0]!
    const at = numbers.get(question)!
    const hasLookedUp = messages.some(({ role }) => role === 'tool')
    const lookUp: Answering =
      at % 3 === 1 ? callsTool('search_products', { sort: 'cheapest' }) : callsTool('my_orders', {})
    if (at % 3 > 0 && !hasLookedUp) return lookUp(response, asked)
    const facts = factsIn(asked)
    const said = script(at, facts)
    told.set(question, said)
    const text = said.isList
      ? listOf(said, facts)
      : FORMLESS[Math.floor(at / 5) % FORMLESS.length]!(said.lies.map(({ text }) => text))
    return streams(...cutInTwo(text))(response, asked)
  }
}
