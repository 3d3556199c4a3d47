import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { openShopForTests } from '../../test/shop.ts'
import { getChat, sendChat } from '../support/chat/chat.contract.ts'
import { createProduct, getProduct } from '../catalogue/catalogue.contract.ts'
import { listReviews, saveReview } from '../reviews/reviews.contract.ts'
import { saveProfile } from '../account/profile/profile.contract.ts'

// Texts for other people must contain no invisible or direction-changing characters.

const open = openShopForTests()
const written = '\u202EAd\u200Bmin\u2066 👩\u200D🚀\u202C '
const read = 'Admin 👩\u200D🚀'

test('removes hidden characters from names, messages, products and reviews', async () => {
  const ada = await open.shop.join()
  expect(await ada.call(saveProfile, { firstName: written, lastName: '\u202E', pictureURL: null })).toMatchObject({
    firstName: read,
    lastName: null,
  })
  await ada.call(sendChat, { message: written })
  expect((await ada.call(getChat, {})).find(({ isFromUser }) => isFromUser)?.message).toBe(read)
  const mine = { title: written, description: `${written}\n${written}`, price: '5.00', categoryId: 'ebooks' }
  const { id } = await ada.call(createProduct, mine)
  expect(await ada.call(getProduct, { id })).toMatchObject({ title: read, description: `${read} \n${read}` })
  const product = await addProduct(open.shop)
  const { lines } = await buy(open.shop, ada, product)
  await ada.call(saveReview, { lineId: lines[0]!.id, stars: 5, text: written })
  expect((await open.shop.call(listReviews, { id: product.id }))[0]!.text).toBe(read)
})

test('limits blank lines in descriptions, reviews and messages', async () => {
  const ada = await open.shop.join()
  const [tall, read] = [`Top${'\n'.repeat(1900)}end`, 'Top\n\nend']
  await ada.call(sendChat, { message: tall })
  expect((await ada.call(getChat, {})).find(({ isFromUser }) => isFromUser)?.message).toBe(read)
  const product = await addProduct(open.shop)
  const { lines } = await buy(open.shop, ada, product)
  await ada.call(saveReview, { lineId: lines[0]!.id, stars: 5, text: tall })
  expect((await open.shop.call(listReviews, { id: product.id }))[0]!.text).toBe(read)
  const { id } = await ada.call(createProduct, { title: 'A', description: tall, price: '5.00', categoryId: 'ebooks' })
  expect(await ada.call(getProduct, { id })).toMatchObject({ description: read })
})

test('rejects a message or title without visible characters, and a title of two lines', async () => {
  const ada = await open.shop.join()
  const hidden = '\u200B\u202E\uFEFF'
  await expect(ada.call(sendChat, { message: hidden })).rejects.toMatchObject({ status: 400 })
  const mine = { title: hidden, price: '5.00', categoryId: 'ebooks' }
  for (const title of [hidden, 'Tea\nand biscuits'])
    await expect(ada.call(createProduct, { ...mine, title })).rejects.toMatchObject({ status: 400 })
})
