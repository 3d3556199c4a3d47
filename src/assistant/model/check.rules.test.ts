import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openCheck, openSentences, plainSentence } from './check.rules.ts'
import { type Facts, noFacts, noteOwn, noteProduct } from './facts.rules.ts'

const REFUND = 'After a full refund, the order shows as **refunded**, and its files are no longer available.'
const BONUS = 'Your first paid order earns store credit: 15% of its price, up to $15.00.'

/** Two products, a sold-out one, a free one, and two orders; the question is about the first product. */
function factsOfShop(about: Facts['about'] = { titles: ['Salt and Time'], orders: [] }): Facts {
  const facts = { ...noFacts(), about, credit: 725, spent: 2950 }
  noteProduct(facts, 'Salt and Time', { cents: new Set([450]), stars: '4.8', left: 3 })
  noteProduct(facts, 'Hours: a time log', { cents: new Set([1400]), stars: null, left: null })
  noteProduct(facts, 'Fernhill Gift Card, $25', { cents: new Set([2500]), stars: null, left: 0 })
  noteProduct(facts, 'Two Small Walks: a free sample', { cents: new Set([0]), stars: null, left: null })
  facts.orders.set('7f3a92c1', {
    status: 'completed',
    isHeld: false,
    cents: 3100,
    titles: ['Night Train', 'Salt and Time'],
  })
  facts.orders.set('b04e1d77', { status: 'pending', isHeld: true, cents: 900, titles: ['Wooden Steps'] })
  facts.paths.add('/help/refunds')
  facts.names.add('Audio')
  noteOwn(
    facts,
    `${REFUND} ${BONUS}\n- **failed**: not paid, or your payment couldn't be used.\nPress **Finish payment**.`,
  )
  return facts
}
/** What is shown of some sentences, one after the other. */
const faultsIn = (sentences: string[], facts = factsOfShop()) => sentences.map(openCheck(facts))
const faultOf = (sentence: string, facts?: Facts) => faultsIn([sentence], facts)[0]

test.each([
  'Salt and Time costs $4.50.',
  'Salt and Time is 4.50 US dollars.',
  'It costs $4.50.',
  'Salt and Time costs $4.50, Hours: a time log $14.00.',
  'Hours costs fourteen dollars and Salt and Time costs $4.50.',
  'At $14.00 there is Hours: a time log.',
  'The Fernhill Gift Card, $25 costs $25.00 and is sold out.',
  'Two Small Walks: a free sample is free.',
  'Salt and Time is rated 4.8 of 5 stars, and 3 are left.',
  'Your order #7F3A92C1 is completed.',
  'Order #7f3a92c1 over $31.00 with Night Train and Salt and Time is completed: it is paid, and your goods are ready.',
  'Order 7f3a92c1 is completed and order b04e1d77 is pending.',
  'Order b04e1d77 is pending: it is held for a check of up to 24 hours.',
  'Order b04e1d77 is not refunded.',
  'One of your orders is pending.',
  'Your order with Night Train is completed.',
  'Your order with Salt and Time comes to $31.00.',
  'Your store credit is $7.25 and you have spent $29.50.',
  'The first paid order earns 15% of its price as store credit, up to $15.00.',
  'After a full refund, the order shows as refunded, and its files are no longer available.',
  'A pending order has to be paid first.',
  'Once the order is paid, you can download the files.',
  'You can ask for a refund on the page of your order.',
  'It can be refunded by staff.',
  '“Salt and Time” is a short book of 40 pages.',
  'Press “Finish payment” in your order.',
  'The article /help/refunds says how.',
  'Feel free to ask, and a person can answer.',
  'It has 24 hours of sound in 1920x1080, for 2 computers, with 10,000 words.',
  'It is written for beginners, e.g. people who have never cooked.',
  'The file ends with .epub, such as book.epub, and opens in any reader.',
])('shows %j', (sentence) => expect(faultOf(sentence)).toBeNull())

test.each([
  ['a price', 'Salt and Time costs $3.99.'],
  ['the price of another product', 'Salt and Time costs $14.00.'],
  ['prices that changed places', 'Salt and Time costs $14.00 and Hours: a time log $4.50.'],
  ['one price for two products', 'Hours, unlike Salt and Time, costs $4.50.'],
  ['one price for two products', 'Salt and Time costs $4.50, as does Hours.'],
  ['the begin of a price', 'Hours: a time log costs $1.'],
  ['the dollars of a price', 'Salt and Time costs $4.'],
  ['the sign behind it', 'It costs 3.99$.'],
  ['a comma', 'It costs 3,99 $.'],
  ['US dollars', 'It costs 3.99 US dollars.'],
  ['a price in words', 'It is only five dollars.'],
  ['a price of words', 'It costs twenty-five bucks.'],
  ['an uncertain price', 'It costs a few dollars.'],
  ['a bare figure', 'It is now 4.99.'],
  ['a bare price', 'It costs only 5.'],
  ['a bare price in words', 'It costs five.'],
  ['half the price', 'It is half price today.'],
  ['a gift', 'Salt and Time is free.'],
  ['a gift', 'You get it for free.'],
  ['a deal', 'Buy one and get one.'],
  ['cents', 'It costs 99 cents.'],
  ['a range', 'It costs $4.50-5.'],
  ['thousands', 'It costs $4.50k.'],
  ['wide digits', 'It costs \uFF04\uFF13.\uFF19\uFF19.'],
  ['wide letters', 'Salt and Time is \uFF46\uFF52\uFF45\uFF45.'],
  ['a fraction', 'It is \u00BD price.'],
  ['other digits', 'It costs \u0664 dollars.'],
  ['a difference', 'Salt and Time costs $4.50 less than Hours.'],
  ['a price of each month', 'Salt and Time costs $4.50 a month.'],
  ['a price behind a colon', 'Salt and Time: 3.'],
  ['nothing to pay', 'You pay nothing for Salt and Time.'],
  ['a price of a part of a name', 'The fernhill card costs $4.50.'],
  ['another currency', 'It costs €4.50.'],
  ['another currency', 'It costs 4.50 euros.'],
  ['a share', 'You get 20% off.'],
  ['the end of a share', 'You get 5% as store credit on your first paid order.'],
  ['a share of something else', 'Salt and Time is 15% off.'],
  ['a share of a product', 'In your first paid order Salt and Time is at 15% of its price.'],
  ['a reduction', 'The price of your first paid order is 15% less.'],
  ['a share in words', 'It is fifteen percent cheaper.'],
  ['a part', 'It is 20 off.'],
  ['the sum of something else', 'Your store credit is $29.50.'],
  ['a bonus that was earned', 'You have earned $15.00 store credit with your first paid order.'],
  ['the price of a product as that of an order', 'Your order with Salt and Time costs $4.50.'],
  ['the total of another order', 'Order 7f3a92c1 costs $9.00.'],
  ['a rating', 'Salt and Time is rated 4.9 of 5 stars.'],
  ['a rating of nothing', 'Hours has five stars.'],
  ['the state of an order', 'Your order 7f3a92c1 is refunded.'],
  ['states that changed places', 'Order 7f3a92c1 is pending and order b04e1d77 is completed.'],
  ['one state for two orders', 'Orders 7f3a92c1 and b04e1d77 are completed.'],
  ['a state that no order has', 'Your order was shipped yesterday.'],
  ['an order of someone else', 'Order 11112222 is completed.'],
  ['a short number', 'Order #4711 is completed.'],
  ['the state of another order', 'Your order with Wooden Steps is completed.'],
  ['a state that one of two orders has', 'Your order is completed.'],
  ['a denied state', 'Order 7f3a92c1 is not completed.'],
  ['a state of unknown words', 'Order 7f3a92c1 is on its way.'],
  ['a state of unknown words', 'Order 7f3a92c1 is processing.'],
  ['a state of unknown words', 'Order 7f3a92c1 is disputed.'],
  ['a state of unknown words', 'Your order 7f3a92c1 is being packed.'],
  ['a state of unknown words', 'The purchase was activated.'],
  ['a refund', 'The refund of order 7f3a92c1 is complete.'],
  ['money', 'The money of order 7f3a92c1 is back on your card.'],
  ['a hold', 'Order 7f3a92c1 is on hold.'],
  ['a promise of a state', 'Order 7f3a92c1 will be refunded.'],
  ['a promise of a state', 'Order 7f3a92c1 will be completed tomorrow.'],
  ['stock', 'There are 40 left.'],
  ['the stock of another product', 'Of the Fernhill Gift Card 3 are left.'],
  ['that it is sold out', 'Salt and Time is sold out.'],
  ['a link', 'See https://evil.example for more.'],
  ['a domain', 'Write to shop.com for help.'],
  ['a domain of any ending', 'Join discord.gg/primo now.'],
  ['a domain of any ending', 'Our page is evil.de.'],
  ['a domain of any ending', 'Ask primo.support for help.'],
  ['an address of numbers', 'Open 1.2.3.4/pay and pay.'],
  ['a wide dot', 'Open evil\u3002de and pay.'],
  ['a dot in words', 'Open evil dot com and pay.'],
  ['a page', 'Open /admin/orders.'],
  ['Markdown', 'Press [here](/help/refunds).'],
  ['HTML', 'Press <b>here</b>.'],
  ['a code', 'Your code is DEMO-AB12-CD34-EF56.'],
  ['a code without hyphens', 'Type ABCD1234EFGH there.'],
  ['a short code', 'Type XYZ-12345 there.'],
  ['a code in groups', 'Type AB12 CD34 EF56 there.'],
  ['a code of letters', 'Your code is QWERTZUIOPAS.'],
  ['an address', 'Write to bob@shop.example.'],
  ['the number of a card', 'You paid with 4111 1111 1111 1111.'],
  ['an act', 'I have refunded your order 7f3a92c1.'],
  ['an act', 'I have gone ahead and taken care of it.'],
  ['an act of staff', 'We have refunded you.'],
  ['an act of staff', 'Our team is sending you a new code.'],
  ['an act of staff', 'Your case was escalated.'],
  ['a promise', "I'll cancel it for you."],
  ['a name', 'You may like “Pepper and Space”.'],
  ['more than a sentence', 'and so on '.repeat(100)],
])('drops a sentence with %s that no tool returned: %s', (_, sentence) => expect(faultOf(sentence)).not.toBeNull())

test.each([
  'Your order was refunded.',
  'Your payment has been refunded.',
  'That one was refunded.',
  'You were refunded yesterday.',
  'You got your money back.',
  'It is completed.',
  'Your payment was declined.',
  'It is not completed.',
  'Salt and Time was refunded.',
])('drops %j when no order was read', (sentence) => {
  const facts = factsOfShop()
  facts.orders.clear()
  expect(faultOf(sentence, facts)).not.toBeNull()
})

test('a price without a name is that of what was named last, or of what the question is about', () => {
  const some = [
    'Hours: a time log is a script.',
    'It costs $4.50.',
    'It costs $14.00.',
    'Salt and Time is a book.',
    'It costs $4.50.',
  ]
  expect(faultsIn(some).map((fault) => fault === null)).toEqual([true, false, true, true, true])
  const many = factsOfShop({ titles: ['Salt and Time', 'Hours: a time log'], orders: [] })
  expect(faultOf('It costs $4.50.', many)).not.toBeNull()
  expect(faultOf('It costs $4.50.', factsOfShop({ titles: [], orders: [] }))).not.toBeNull()
  // a reader has not seen a dropped name
  const unseen = faultsIn(['Hours: a time log costs $1.00.', 'It costs $14.00.', 'It costs $4.50.'])
  expect(unseen.map((fault) => fault === null)).toEqual([false, false, true])
  const hours = factsOfShop({ titles: ['Hours: a time log'], orders: [] })
  expect(faultOf('For $14.00 there is Salt and Time, and it costs $4.50 as well.', hours)).not.toBeNull()
  expect(faultOf('Yours is pending.', factsOfShop({ titles: [], orders: ['b04e1d77'] }))).toBeNull()
})

test('what sellers and reviewers write proves nothing', () => {
  const facts = factsOfShop()
  noteProduct(facts, 'Zephyr, $0.01, 90% off evil.example', { cents: new Set([300]), stars: null, left: null })
  for (const lie of ['It costs $0.01.', 'It is 90% off.', 'Zephyr costs $0.01.', 'Salt and Time is 90% off.'])
    expect(faultOf(lie, facts)).not.toBeNull()
})

test('any amount and any share that is not among the facts is dropped, in every form', () => {
  const forms = [
    (cents: number) => `$${(cents / 100).toFixed(2)}`,
    (cents: number) => `${(cents / 100).toFixed(2)}$`,
    (cents: number) => `${(cents / 100).toFixed(2).replace('.', ',')} $`,
    (cents: number) => `USD ${(cents / 100).toFixed(2)}`,
    (cents: number) => `${(cents / 100).toFixed(2)} US dollars`,
    (cents: number) => (cents / 100).toFixed(2),
    (cents: number) => `${cents} cents`,
    (cents: number) => `$${(cents / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`,
  ]
  const facts = factsOfShop()
  const says = [
    'Salt and Time costs # today.',
    'For # it is yours.',
    'It was # before.',
    'Salt and Time (#) is a book.',
  ]
  fc.assert(
    fc.property(fc.nat(300_000), fc.constantFrom(...forms), fc.constantFrom(...says), (cents, form, say) => {
      expect(faultOf(say.replace('#', form(cents)), facts) === null).toBe(cents === 450)
    }),
    { numRuns: 600 },
  )
  fc.assert(
    fc.property(fc.nat(10_000), fc.constantFrom('%', ' %', ' percent'), (hundredths, sign) => {
      const sentence = `Your first paid order earns ${hundredths / 100}${sign} of its price as store credit.`
      expect(faultOf(sentence, facts) === null).toBe(hundredths === 1500)
    }),
    { numRuns: 300 },
  )
})

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
