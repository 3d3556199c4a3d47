import { beforeAll, expect, test } from 'vitest'
import { buy } from '../../../../test/buy.ts'
import { addProduct } from '../../../../test/goods.ts'
import { openShopForTests, openTestShop, type Person } from '../../../../test/shop.ts'
import { listAnswers } from '../../review/review.contract.ts'
import { type ChatMessage, getChat, rateAnswer, sendChat } from '../chat.contract.ts'
import { chipsOf, NOT_MEANT } from './chips.rules.ts'
import { findMeanings } from './meanings.contract.ts'

// Presses the chips of real answers: the assistant must understand each text that a chip sends.

const open = openShopForTests()
let ada: Person
beforeAll(async () => {
  const { shop } = open
  ada = await shop.join()
  await addProduct(shop, { title: 'Zephyr Field Recordings', price: '7.25', categoryId: 'audio' })
  await addProduct(shop, { title: 'Zephyr Wind Sounds', price: '8.25', categoryId: 'audio' })
  await addProduct(shop, { title: 'Zephyr Dawn Sounds', price: '3.25', categoryId: 'audio' })
  await buy(shop, ada, await addProduct(shop, { title: 'Quokka Voucher', codes: ['QUOKKA-CODE-1'] }))
})

async function ask(message: string, person = ada): Promise<ChatMessage> {
  const before = (await person.call(getChat, {})).length
  await person.call(sendChat, { message })
  await expect.poll(async () => (await person.call(getChat, {})).length).toBe(before + 2)
  return (await person.call(getChat, {})).at(-1)!
}

/** Presses a chip that sends a text. */
async function press(answer: ChatMessage, label: string): Promise<ChatMessage> {
  const chip = chipsOf(answer).find((one) => one.label === label)
  if (chip?.kind !== 'send') throw new Error(`${label} is not under: ${answer.message}`)
  return ask(chip.message)
}

const slugsOf = ({ articles }: ChatMessage) => articles.map(({ slug }) => slug)

test.each([
  ['Report a bad code', 'codes'],
  ['Ask for a refund', 'refunds'],
])('"%s" under an order leads to the article %s', async (label, slug) => {
  const order = await ask('Where is my order?')
  expect(order.orders).toHaveLength(1)
  const answer = await press(order, label)
  expect([answer.isUnsure, slugsOf(answer)]).toEqual([false, [slug]])
})

test.each<[status: ChatMessage['orders'][number]['status'], label: string, slug: string]>([
  ['pending', 'Cancel my order', 'orders'],
  ['failed', 'Why did it fail?', 'orders'],
  ['refunded', 'How long does a refund take?', 'refunds'],
])('the chip of a %s order is understood: %s', async (status, label, slug) => {
  const order = await ask('Where is my order?')
  const answer = await press({ ...order, orders: order.orders.map((one) => ({ ...one, status })) }, label)
  expect([answer.isUnsure, slugsOf(answer)]).toEqual([false, [slug]])
})

test('the chips under products lead to other products and to a comparison', async () => {
  const OVER_5 = 'Do you have zephyr sounds over $5?'
  const both = await ask(OVER_5)
  expect(both.products).toHaveLength(2)
  const compared = await press(both, 'Compare them')
  expect(compared.message).toMatch(/Zephyr Field Recordings[^]*Zephyr Wind Sounds|Zephyr Wind Sounds[^]*Zephyr Field/)
  const one = await ask('How much are the Zephyr Field Recordings?')
  expect(one.products).toHaveLength(1)
  expect((await press(one, 'Something similar')).products.map(({ title }) => title)).toContain('Zephyr Wind Sounds')
  const cheaper = await press(await ask(OVER_5), 'Something cheaper')
  expect(cheaper.products.map(({ title }) => title)).toEqual(['Zephyr Dawn Sounds'])
})

test('the chips under small talk are understood', async () => {
  const hello = await ask('hello')
  expect((await press(hello, 'What do you sell?')).message).toMatch(/^We sell /)
  expect((await press(await ask('hello'), 'Where is my order?')).orders).toHaveLength(1)
})

test('"Not what I meant" offers other meanings that are understood, and shows the answer to staff', async () => {
  const bea = await open.shop.join()
  const question = 'How do I get a refund for my gift card code?'
  const missed = await ask(question, bea)
  const { meanings } = await bea.call(findMeanings, { messageId: missed.id })
  expect(meanings.length).toBeGreaterThan(0)
  expect(meanings.length).toBeLessThanOrEqual(3)
  const shown = slugsOf(missed).join()
  for (const meaning of meanings) {
    const answer = await ask(meaning, bea)
    expect(answer.isUnsure, meaning).toBe(false)
    expect(slugsOf(answer).join(), meaning).not.toBe(shown)
  }
  const lena = await open.shop.join({ isAdmin: true })
  const reviewed = (await lena.call(listAnswers, {})).find((one) => one.question === question)
  expect(reviewed).toMatchObject({ rating: -1, reason: NOT_MEANT })
})

test('"Not what I meant" leaves a reason that the member typed', async () => {
  const bea = await open.shop.join()
  const question = 'How long does my refund take, please?'
  const { id } = await ask(question, bea)
  await bea.call(rateAnswer, { messageId: id, rating: -1, reason: 'It is about cards' })
  await bea.call(findMeanings, { messageId: id })
  const lena = await open.shop.join({ isAdmin: true })
  const reviewed = (await lena.call(listAnswers, {})).find((one) => one.question === question)
  expect(reviewed).toMatchObject({ rating: -1, reason: 'It is about cards' })
})

test('limits the searches for other meanings like messages', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1' })
  const dan = await shop.join()
  const find = () => dan.call(findMeanings, { messageId: crypto.randomUUID() }).catch(({ status }) => status as number)
  const statuses = []
  for (let i = 0; i < 11; i++) statuses.push(await find())
  expect(statuses).toEqual([...Array<number>(10).fill(404), 429])
  await shop.close()
})

test('offers no meaning of a question that resembles nothing', async () => {
  const answer = await ask('xyzzy plugh quux')
  expect(await ada.call(findMeanings, { messageId: answer.id })).toEqual({ meanings: [] })
})

test('shows nothing about the questions of other members, and nothing where only people answer', async () => {
  const { id } = await ask('hello')
  const bob = await open.shop.join()
  const missing = { status: 404 }
  await expect(bob.call(findMeanings, { messageId: id })).rejects.toMatchObject(missing)
  const people = await openTestShop({ ASSISTANT: 'off' })
  const cem = await people.join()
  const { id: own } = await cem.call(sendChat, { message: 'hello' })
  await expect(cem.call(findMeanings, { messageId: own })).rejects.toMatchObject(missing)
  await people.close()
})
