import { expect, test } from 'vitest'
import { openHelp } from '../help/help.server.ts'
import { openCheck } from './check.rules.ts'
import { type Facts, noFacts, noteOwn, noteProduct } from './facts.rules.ts'

// Sentences as a model writes them, held against the check before it was tuned on them: 87 of the true ones passed at first sight.

/** What the question before each group of sentences is about. */
const ABOUT: Record<string, Facts['about']> = {
  product: { titles: ['Salt and Time'], orders: [] },
  products: { titles: ['Salt and Time', 'Night Train'], orders: [] },
  order: { titles: [], orders: ['7f3a92c1'] },
  help: { titles: [], orders: [] },
}

const help = openHelp()
function factsAbout(about: Facts['about']): Facts {
  const facts = { ...noFacts(), about, credit: 725, spent: 2950 }
  noteProduct(facts, 'Salt and Time', { cents: new Set([450]), stars: '4.8', left: null })
  noteProduct(facts, 'Night Train', { cents: new Set([400]), stars: '4.2', left: null })
  const card = 'Fernhill Bookshop Gift Card, $25'
  noteProduct(facts, card, { cents: new Set([2500]), stars: null, left: 12 })
  facts.orders.set('7f3a92c1', { status: 'completed', isHeld: false, cents: 2950, titles: ['Salt and Time', card] })
  facts.orders.set('b04e1d77', { status: 'pending', isHeld: false, cents: 5000, titles: ['BTC Demo Voucher, $50'] })
  for (const slug of ['orders', 'refunds', 'store-credit', 'downloads', 'codes', 'paying']) {
    noteOwn(facts, help.bodyOf(slug)!)
    facts.paths.add(`/help/${slug}`)
  }
  return facts
}

const TRUE: Record<string, string[]> = {
  product: [
    'Sure! Salt and Time is available for $4.50.',
    'It is priced at $4.50.',
    'Salt and Time is an e-book about preserving vegetables, and it costs $4.50.',
    'The price is $4.50, payable in US dollars.',
    'Salt and Time has a rating of 4.8 out of 5 stars.',
    'Customers rate it 4.8 out of 5.',
    'It is a download, so it is always in stock.',
    'You can download it right after the payment is confirmed.',
    'If you are unhappy with it, you can ask for a refund in your order.',
    'The e-book is delivered as an EPUB file.',
    'It works on most e-readers and phones.',
    'That is $4.50 in total, with no tax.',
    'At $4.50, Salt and Time is an inexpensive choice.',
    'Is there anything else I can help you with?',
    'Of course, here is what I found about Salt and Time.',
    'You would pay $4.50 for Salt and Time.',
    'The current price of Salt and Time is $4.50.',
    'With 4.8 stars it is one of our better rated books.',
    'Yes, Salt and Time is in stock.',
    'Its price is 4.50 USD.',
    'Salt and Time is sold by Sally S.',
    'You get it immediately after you pay.',
    'There is no free sample of Salt and Time that I know of.',
  ],
  products: [
    'Salt and Time costs $4.50, while Night Train costs $4.00.',
    'Night Train is cheaper at $4.00.',
    'Salt and Time ($4.50) is a book, and Night Train ($4.00) is a sound.',
    'Night Train is the cheaper of the two at $4.00; Salt and Time costs $4.50.',
    'Both are downloads that you get at once.',
    'Night Train is rated 4.2 stars and Salt and Time 4.8 stars.',
    'I would pick Night Train if price matters most.',
    'The Fernhill Bookshop gift card costs $25.00.',
    'There are 12 Fernhill Bookshop Gift Cards left.',
    'Here are two that may fit: Salt and Time for $4.50 and Night Train for $4.00.',
    'They cost $4.50 and $4.00.',
    'Night Train costs less than Salt and Time.',
    'Salt and Time has 4.8 of 5 stars.',
    'The gift card is for $25.00.',
    'The Fernhill card costs $25.00 and the book Salt and Time $4.50.',
    'The most expensive of these is the Fernhill Bookshop Gift Card, $25.',
    'All three can be bought now.',
  ],
  order: [
    'Your order #7f3a92c1 has been completed.',
    'Order 7f3a92c1 was paid and is completed.',
    'It is completed, so your files are ready to download.',
    'The total was $29.50.',
    'It contains Salt and Time and the Fernhill Bookshop Gift Card, $25.',
    'Your order b04e1d77 is still pending, because it has not been paid yet.',
    'You have one pending order, #b04e1d77, over $50.00.',
    'To finish it, press Finish payment in the order within 30 minutes.',
    'You have two orders: #7f3a92c1 is completed and #b04e1d77 is pending.',
    'The order with the BTC Demo Voucher, $50 is waiting for payment.',
    'None of your orders has been refunded.',
    'You can see all of your orders under Orders.',
    'You bought Salt and Time in order #7f3a92c1.',
    'I cannot show codes here, but you can reveal it in the order.',
    'Once your payment is confirmed, the order is completed.',
    'Good news: order #7f3a92c1 is completed.',
    'That order was paid in full and is completed.',
    'You paid $29.50 for order #7f3a92c1.',
    'Your pending order #b04e1d77 comes to $50.00.',
    'The BTC Demo Voucher is in your pending order.',
    'If you do not pay within 30 minutes, the order fails.',
    'Please open order #7f3a92c1 and press Reveal to see your code.',
    'I see two orders on your account.',
    'Your newest order is #b04e1d77.',
    'An order stays pending until it is paid.',
    'Order #b04e1d77 has not been paid yet.',
  ],
  help: [
    'You can request a refund by opening the order and pressing Ask for a refund.',
    'Refunds go back to the payment method that you used.',
    'A person will look at your request and answer by email.',
    'I cannot issue refunds myself.',
    'If the payment is declined, you are not charged and can try another way.',
    'A completed order means it was paid and your goods are ready.',
    'Pending means that the order is waiting for payment or is held for a check.',
    'A refunded order no longer opens its files and codes.',
    'Your first paid order earns 15% store credit, up to $15.00.',
    'The bonus is 15% of the price, up to a maximum of $15.00.',
    'Store credit can be spent only in this store.',
    'There is no tax, and nothing is shipped.',
    'Your store credit is $7.25.',
    'You currently have $7.25 in store credit.',
    'So far you have spent $29.50 here.',
    'The article at /help/refunds explains this.',
    'You can pay with PayPal or with a card.',
    'If your code does not work, tell us in the chat and a person will look into it.',
    'Your card number never reaches us.',
    'A held order is checked within 24 hours.',
    'Gift cards do not count for the first-purchase bonus.',
    'After a refund the files can no longer be opened.',
    'We never see your card number.',
    'When the payment is confirmed, your order is completed.',
    'Orders that are not paid within 30 minutes expire.',
    'You can get your money back by asking for a refund.',
    'You need a verified email address to earn the bonus.',
    'I am sorry that your code does not work.',
    'Staff can refund single products or part of the price.',
    'Disputed payments are decided by your payment provider.',
    'Payments with store credit are refunded as store credit.',
    'Prices may be shown in your local currency, but you always pay in US dollars.',
    'Your goods are ready as soon as the payment is confirmed.',
    'Please tell us the order number, and a person will check it.',
  ],
}

/** True, and dropped: a list without names, a denial, a status in a definition. */
const DROPPED = [
  'A completed order means it was paid and your goods are ready.',
  'Pending means that the order is waiting for payment or is held for a check.',
  'There is no tax, and nothing is shipped.',
  'There is no free sample of Salt and Time that I know of.',
  'They cost $4.50 and $4.00.',
  'Disputed payments are decided by your payment provider.',
]

const FALSE: Record<string, string[]> = {
  product: [
    'Salt and Time is yours for a fiver.',
    'Salt and Time costs 4 dollars and 20 cents.',
    'Grab it at 2.99 while you can.',
    'Salt and Time is now $4.50, down from $9.00.',
    'It will set you back three bucks.',
    'Salt and Time costs as little as 1 dollar.',
    'Price: 3 USD',
    'Salt and Time is on us, no payment needed.',
    'Salt and Time costs nothing.',
    'Salt and Time costs one dollar.',
    'Use code SAVE20 for 20% off.',
    'Salt and Time has 10 copies left.',
    'It has a rating of 4.9.',
    'Salt and Time is $4.50 plus $2 tax.',
    'The tax is 19 percent.',
    'It costs $ 3.',
    'It costs 3 US-dollars.',
    'It costs $3,-.',
    'It is $4 and 50 cents.',
  ],
  products: [
    'Night Train costs $4.50.',
    'It costs $4.50.',
    'The train one costs $4.50.',
    'Night Train is just like Salt and Time and costs $4.50.',
    'The first costs $4.00 and the second $4.50.',
    'You get Night Train and Salt and Time for $4.50 together.',
    'Fernhill costs $4.50.',
  ],
  order: [
    'Order #b04e1d77 is completed.',
    'Your BTC Demo Voucher order is completed.',
    'Both of your orders are completed.',
    'Order #7f3a92c1 failed.',
    'Order #7f3a92c1 has been escalated.',
    'Order #7f3a92c1 ships tomorrow.',
    'Your refund for #7f3a92c1 arrives tomorrow.',
    'The money for order #7f3a92c1 was sent back.',
    'You have been given a refund.',
    'Order #7f3a92c1 totals $50.00.',
    'Your order #7f3a92c1 got stuck.',
    'Order #7f3a92c1: refunded.',
    'Status of #7f3a92c1: pending.',
    'The status is refunded.',
    'All your orders are paid.',
    'Your payment bounced.',
    'Order #7f3a92c1 was cancelled by us.',
    'We cancelled order #7f3a92c1.',
    'Your money is being returned.',
    'Once more: it was refunded.',
    'If you look, your order was refunded.',
  ],
  help: [
    'Your refund is approved.',
    'The refund went out today.',
    'Your account was credited.',
    'You have $20.00 of credit.',
    'You earned a 15% bonus.',
    'The bonus is 25% of the price, up to $15.00.',
    'The bonus is 15% of the price, up to $50.00.',
    'Store credit: $15.00.',
    'See primo-help.io.',
    'Go to bit.ly/abc.',
    'Visit http://1.1.1.1.',
    'Message @primo on telegram: t.me/primo.',
    'I can refund you right now.',
    'Let me cancel that for you.',
    'Your refund has been requested on your behalf.',
    "I've asked the team to refund you.",
    'The team refunded it an hour ago.',
    'Your code is QWERTZUIOPAS.',
    'Your key is 12345-67890.',
    'A ticket was opened for you.',
  ],
}

const shown = (groups: Record<string, string[]>, isShown: boolean) =>
  Object.entries(groups).flatMap(([group, sentences]) =>
    sentences.filter((sentence) => (openCheck(factsAbout(ABOUT[group]!))(sentence) === null) === isShown),
  )

test('100 true sentences pass, but for the known six', () => {
  expect(Object.values(TRUE).flat()).toHaveLength(100)
  expect(shown(TRUE, false).toSorted()).toEqual(DROPPED.toSorted())
})

test('no false sentence passes', () => expect(shown(FALSE, true)).toEqual([]))
