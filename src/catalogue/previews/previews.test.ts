import sharp from 'sharp'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { removeProduct } from '../../selling/selling.contract.ts'
import { upload } from '../../../test/served.ts'
import { addPreview, arrangePreviews, getPreviews } from './previews.contract.ts'

const open = openShopForTests()
const refused = (status: number) => ({ status })

async function list() {
  const [seller, { id }] = [await open.shop.join(), await addProduct(open.shop)]
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${id}::uuid`.execute(open.shop.database.db)
  return { seller, id }
}
const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#246' } })
    .png()
    .toBuffer()
const add = async (seller: Person, id: string, bytes: Uint8Array, name: string, alt = name) =>
  seller.call(addPreview, { id, alt, uploadURL: await upload(open.shop, seller, bytes, name) })
const get = (path: string, headers = {}) => fetch(open.shop.url + path, { headers })

test('shows images and samples of a listed product to everybody in the seller’s order', async () => {
  const { seller, id } = await list()
  await add(seller, id, await picture(), 'one.png', 'The first page')
  await add(seller, id, Buffer.from('ID3 a short sample'), 'sample.mp3', 'Two minutes')
  const [image, sample] = await add(seller, id, await picture(), 'two.png', 'The last page')
  expect((await get(image!.url)).headers.get('content-type')).toBe('image/webp')
  const part = await get(sample!.url, { range: 'bytes=4-10' })
  expect([part.status, await part.text(), part.headers.get('content-type')]).toEqual([206, 'a short', 'audio/mpeg'])
  const shown = await open.shop.call(getPreviews, { id })
  await seller.call(arrangePreviews, {
    id,
    previews: [{ id: shown[2]!.id, alt: 'Now first' }, shown[1]!].map(({ id: one, alt }) => ({ id: one, alt })),
  })
  // every node caches the list until it is notified
  await expect
    .poll(async () => (await open.shop.call(getPreviews, { id })).map(({ alt }) => alt))
    .toEqual(['Now first', 'Two minutes'])
  expect((await get(image!.url)).status).toBe(404)
  await sql`UPDATE products SET is_active = false WHERE id = ${id}::uuid`.execute(open.shop.database.db)
  await expect
    .poll(() => open.shop.call(getPreviews, { id }).catch((error: unknown) => error))
    .toMatchObject(refused(404))
  expect((await get(sample!.url)).status).toBe(404)
  expect((await get(sample!.url, { cookie: seller.cookie })).status).toBe(200)
  expect(await seller.call(getPreviews, { id })).toHaveLength(2)
  expect(await seller.call(removeProduct, { id })).toEqual({ outcome: 'deleted' })
})

test('rejects previews that are too large, of an unknown kind, of another member or too many', async () => {
  const { seller, id } = await list()
  const other = await open.shop.join()
  await expect(add(other, id, await picture(), 'a.png')).rejects.toMatchObject(refused(404))
  await expect(other.call(arrangePreviews, { id, previews: [] })).rejects.toMatchObject(refused(404))
  await expect(add(seller, id, Buffer.from('plain text'), 'a.txt')).rejects.toMatchObject(refused(415))
  const huge = Buffer.alloc(20 * 1024 * 1024 + 1, 'x')
  huge.write('ID3')
  await expect(add(seller, id, huge, 'long.mp3')).rejects.toMatchObject(refused(413))
  await add(seller, id, Buffer.from('ID3 one'), 'a.mp3')
  await expect(add(seller, id, Buffer.from('ID3 two'), 'b.mp3')).rejects.toMatchObject(refused(409))
  const unknown = { id: crypto.randomUUID(), alt: 'x' }
  await expect(seller.call(arrangePreviews, { id, previews: [unknown] })).rejects.toMatchObject(refused(409))
})
