import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { addToCart } from '../cart/cart.contract.ts'
import { startPayment } from '../checkout/checkout.contract.ts'
import { saveReview } from '../reviews/reviews.contract.ts'

// Objects of other members answer 404 (insecure direct object references, attacks A2 to A8, A16 and A18).

const open = openShopForTests()

async function ask({ cookie }: Person, line: string, body?: object): Promise<number> {
  const [method, path] = line.split(' ') as [string, string]
  const response = await fetch(open.shop.url + path, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  await response.body?.cancel()
  return response.status
}

test('denies reading, changing or deleting objects of other members, also to staff', async () => {
  const [ada, bob, staff] = [await open.shop.join(), await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const [file, codes] = [
    await addProduct(open.shop),
    await addProduct(open.shop, { codes: ['AAAA-BBBB', 'CCCC-DDDD'] }),
  ]
  const bought = await buy(open.shop, ada, file)
  const secret = await buy(open.shop, ada, codes)
  const lineId = bought.lines[0]!.id
  await ada.call(saveReview, { lineId, stars: 5, text: 'Mine.' })
  const [cartLine] = await ada.call(addToCart, { productId: file.id, quantity: 1 })
  const items = [{ productId: file.id, quantity: 1 }]
  const { id: payment } = await ada.call(startPayment, {
    amount: file.price,
    currency: 'USD',
    intent: 'capture',
    items,
  })
  const session = await open.shop.database.db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', ada.id)
    .executeTakeFirstOrThrow()
  const calls: [string, object?][] = [
    [`PUT /api/cart/${cartLine!.id}`, { quantity: 9 }],
    [`DELETE /api/cart/${cartLine!.id}`],
    [`GET /api/orders/${bought.id}`],
    [`POST /api/orders/${bought.id}/lines/${lineId}/download`],
    [`POST /api/orders/${secret.id}/lines/${secret.lines[0]!.id}/reveal`],
    [`GET /api/library/${lineId}/files`],
    [`PUT /api/library/${lineId}/archive`],
    [`DELETE /api/library/${lineId}/archive`],
    [`PUT /api/orders/${bought.id}/refund-request`, { lineIds: [lineId], reason: 'other', note: '' }],
    [`POST /order/${payment}/capture`],
    [`POST /order/${payment}/cancel`],
    [`PUT /api/reviews/${lineId}`, { stars: 1, text: 'Not mine.' }],
    [`DELETE /api/reviews/${lineId}`],
    [`DELETE /api/account/sessions/${session.id}`],
    [`PUT /api/products/${file.id}/question`, { answer: 'Not mine.' }],
    [`PUT /api/products/${file.id}/files`, { imageURL: null, digitalFileURL: `${open.shop.url}/objects/${file.id}` }],
  ]
  for (const stranger of [bob, staff])
    for (const [line, body] of calls) expect(await ask(stranger, line, body), line).toBe(404)
  // The objects are unchanged.
  expect(await ask(ada, `GET /api/orders/${bought.id}`)).toBe(200)
  expect(await ask(ada, `PUT /api/cart/${cartLine!.id}`, { quantity: 2 })).toBe(200)
  expect(await ask(ada, `POST /api/orders/${secret.id}/lines/${secret.lines[0]!.id}/reveal`)).toBe(200)
})

test.each([[['x']], [{ id: 'x' }], [''], [0], [true], [null], ['%'], ["' OR 1=1 --"]])(
  'rejects the invalid id %j everywhere',
  async (id) => {
    const ada = await open.shop.join()
    expect(await ask(ada, 'POST /api/cart', { productId: id, quantity: 1 })).toBe(400)
    expect(await ask(ada, 'POST /order', { amount: '1.00', currency: 'USD', intent: 'capture', orderId: id })).toBe(400)
    const inPath = encodeURIComponent(typeof id === 'object' ? JSON.stringify(id) : String(id))
    for (const line of ['GET /api/orders/', 'DELETE /api/reviews/', 'PUT /api/cart/', 'DELETE /api/account/sessions/'])
      expect([400, 404, 405], line + inPath).toContain(await ask(ada, line + inPath))
  },
)

test('never reveals a key of the file store', async () => {
  const ada = await open.shop.join()
  for (const path of ['/s3/sts', '/s3/params', '/api/s3/sts']) {
    const response = await fetch(open.shop.url + path, { headers: { cookie: ada.cookie } })
    expect(await response.text()).not.toMatch(/credentials|accessKey|secretKey/i)
  }
})
