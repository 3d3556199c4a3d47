import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import type { Page } from '@playwright/test'
import { startS3 } from '../sandbox/s3/server.ts'
import { setUpBucket } from '../src/uploads/s3/setup.server.ts'
import { join, type OwnShop, startOwnShop } from './ownShop.ts'
import { closeUploader, expect, forgive, ONCE, test } from './shop.ts'

// A file above 100 MB goes in parts. The same journey runs on a folder and on a stand-in for an S3 store.

test.describe.configure({ mode: 'default' })

const MB = 1024 * 1024
const FILE_MB = 112
/** Parts of 5 MB, and one of 2 MB. */
const PARTS = 23

const folder = mkdtempSync(pathOf(tmpdir(), 'primo-parts-'))
const file = pathOf(folder, 'film.bin')
let digest = ''
let shop: OwnShop | undefined
let closeStore: (() => Promise<void>) | undefined

test.beforeAll(() => {
  const handle = openSync(file, 'w')
  const hash = createHash('sha256')
  for (let n = 0; n < FILE_MB; n++) {
    const piece = Buffer.alloc(MB, `piece ${n}`)
    writeSync(handle, piece)
    hash.update(piece)
  }
  closeSync(handle)
  digest = hash.digest('hex')
})
test.afterEach(async () => {
  await shop?.stop()
  await closeStore?.()
  shop = closeStore = undefined
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function openStore(store: 'disk' | 's3') {
  const settings = { MAX_DIGITAL_FILE_MB: '200' }
  if (store === 'disk') return void (shop = await startOwnShop(settings))
  const s3 = await startS3({ folder: pathOf(folder, 's3') })
  closeStore = s3.stop
  const { endpoint, region, bucket, key, secret } = s3
  const given = { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket, S3_KEY: key, S3_SECRET: secret }
  shop = await startOwnShop({ ...settings, ...given, S3_FORCE_PATH_STYLE: '1' })
  const bucketOf = { endpoint, region, bucket, key, secret, isPathStyle: true, isRedirecting: true }
  for await (const finding of setUpBucket(bucketOf, shop.url)) expect(finding.grade, finding.says).not.toBe('fail')
}

/** Counts the parts under way, and slows each down so that there is time to press. */
async function watchParts(page: Page) {
  const seen = { now: 0, most: 0, done: 0 }
  await page.route(/partNumber=\d|\/parts\//, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    seen.most = Math.max(seen.most, ++seen.now)
    await new Promise((done) => setTimeout(done, 250))
    await route.continue().catch(() => undefined)
  })
  page.on('requestfinished', (request) => {
    if (request.method() === 'PUT' && /partNumber=\d|\/parts\//.test(request.url())) {
      seen.now--
      seen.done++
    }
  })
  page.on('requestfailed', (request) => {
    if (request.method() === 'PUT') seen.now--
  })
  return seen
}

const inputOf = (page: Page) => page.locator('input.uppy-Dashboard-input[type=file]:not([webkitdirectory])').first()

async function open(page: Page) {
  await page.goto(shop!.url)
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  await page.getByRole('dialog', { name: 'Add Product' }).getByRole('button', { name: 'Digital file' }).click()
  await expect(page.locator('.uppy-Dashboard-inner')).toBeVisible()
}

for (const store of ['disk', 's3'] as const)
  test(
    `a file of 112 MB goes in parts, six at once, is paused, and goes on after a reload: ${store}`,
    { tag: ONCE },
    async ({ page, context, browser, faults }) => {
      await openStore(store)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: shop!.url })
      await join(context.request, shop!.url)
      await open(page)
      const first = await watchParts(page)
      await inputOf(page).setInputFiles(file)
      await page.getByRole('button', { name: 'Upload 1 file' }).click()
      await expect.poll(() => first.done).toBeGreaterThanOrEqual(4)
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await expect(page.getByText('Paused').first()).toBeVisible()
      await expect.poll(() => first.now).toBeLessThanOrEqual(0)
      const atPause = first.done
      await page.waitForTimeout(1200)
      expect(first.done).toBe(atPause)
      await page.getByRole('button', { name: 'Resume', exact: true }).click()
      await expect.poll(() => first.done).toBeGreaterThan(atPause)
      expect(first.most).toBe(6)

      await page.reload()
      await open(page)
      const second = await watchParts(page)
      await page.getByRole('button', { name: 'Re-select' }).click()
      await inputOf(page).setInputFiles(file)
      await page
        .getByRole('button', { name: /^(Resume|Upload 1 file)/ })
        .first()
        .click()
      await expect(page.getByText('Digital file uploaded successfully!').first()).toBeVisible({ timeout: 60_000 })
      // those before the reload were not sent again
      expect(second.done).toBeLessThanOrEqual(PARTS - atPause)

      await page.getByRole('button', { name: 'Copy link' }).first().click()
      await expect(page.getByText('Link copied to clipboard.').first()).toBeVisible()
      const link = await page.evaluate(() => navigator.clipboard.readText())
      await closeUploader(page)
      const answer = await context.request.get(link)
      expect(
        createHash('sha256')
          .update(await answer.body())
          .digest('hex'),
      ).toBe(digest)
      const other = await browser.newContext()
      await join(other.request, shop!.url)
      expect((await other.request.get(link)).status()).toBe(404)
      await other.close()
      expect(readFileSync(file).length).toBe(FILE_MB * MB)
      forgive(faults, /net::ERR_(FAILED|ABORTED)/)
    },
  )
