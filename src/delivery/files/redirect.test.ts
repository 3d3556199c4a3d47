import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type S3StandIn, startS3 } from '../../../sandbox/s3/server.ts'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openTestShop, type TestShop } from '../../../test/shop.ts'
import { ownFilePath, ownPlayerPath } from '../courses/own/ownCourse.rules.ts'
import { grantDownload } from './files.contract.ts'

let folder: string
let s3: S3StandIn
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'primo-redirect-'))
  s3 = await startS3({ folder })
})
afterAll(async () => {
  await s3.stop()
  await rm(folder, { recursive: true })
})

const openShop = (downloads: string) =>
  openTestShop({
    ...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket, S3_KEY: s3.key, S3_SECRET: s3.secret },
    ...{ S3_FORCE_PATH_STYLE: '1', S3_DOWNLOADS: downloads },
  })

async function download(shop: TestShop) {
  const buyer = await shop.join()
  const product = await addProduct(shop)
  const { id, lines } = await buy(shop, buyer, product)
  const { url } = await buyer.call(grantDownload, { id, lineId: lines[0]!.id })
  const answer = await fetch(shop.url + url, { headers: { cookie: buyer.cookie }, redirect: 'manual' })
  return { answer, product }
}

test('redirects a download to the bucket for a minute, as an attachment that no browser renders', async () => {
  const shop = await openShop('redirect')
  const { answer, product } = await download(shop).finally(() => shop.close())
  expect(answer.status).toBe(302)
  const location = new URL(answer.headers.get('location')!)
  expect(location.origin).toBe(s3.endpoint)
  expect(Number(location.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
  const sent = await fetch(location)
  expect(Object.fromEntries(sent.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment; filename="book.txt"/),
    'cache-control': 'private, no-store',
  })
  expect(await sent.text()).toBe(product.bytes.toString())
})

test('streams a download through the shop with the policy headers', async () => {
  const shop = await openShop('stream')
  const { answer, product } = await download(shop).finally(() => shop.close())
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment; filename="book.txt"/),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  expect(await answer.text()).toBe(product.bytes.toString())
})

test('redirects a seller who downloads a file of the own course, and streams it to the player', async () => {
  const shop = await openShop('redirect')
  const seller = await shop.join()
  const { id, bytes } = await addProduct(shop)
  const { rows } = await sql<{ fileId: string }>`
    WITH own AS (UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${id}::uuid RETURNING id, file_id),
    lesson AS (INSERT INTO course_parts (product_id, is_section, position, title) SELECT id, false, 1, 'Flour' FROM own
      RETURNING id)
    INSERT INTO lesson_files (file_id, lesson_id) SELECT own.file_id, lesson.id FROM own, lesson RETURNING file_id`.execute(
    shop.database.db,
  )
  const [{ fileId } = { fileId: '' }] = rows
  const get = (path: string) => fetch(shop.url + path, { headers: { cookie: seller.cookie }, redirect: 'manual' })
  const [saved, played] = await Promise.all([get(ownFilePath(id, fileId)), get(ownPlayerPath(id, fileId))]).finally(
    () => shop.close(),
  )
  expect(saved.status).toBe(302)
  expect(new URL(saved.headers.get('location') ?? '').origin).toBe(s3.endpoint)
  expect([played.status, await played.text()]).toEqual([200, bytes.toString()])
})
