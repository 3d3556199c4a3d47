import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { join } from './ownShop.ts'
import { closeUploader, expect, forgive, ONCE, test } from './shop.ts'
import { inputOf, openUploader, uploadButton } from './uploader/page.ts'
import { startStoreShop, type StoreShop, STORES } from './uploader/stores.ts'

// A file above 100 MB is uploaded in parts, to a folder and to a stand-in for an S3 store.

test.describe.configure({ mode: 'serial' })

const MB = 1024 * 1024
const FILE_MB = 112
/** Parts of 5 MB, and one of 2 MB. */
const PARTS = 23

const folder = mkdtempSync(pathOf(tmpdir(), 'primo-parts-'))
const file = pathOf(folder, 'film.bin')
let digest = ''
let shop: StoreShop | undefined

test.beforeAll(() => {
  if (digest) return
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
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Delays each part, so that there is time to press, and records the maximum number of simultaneous parts. Runs in the
 * page, because a Playwright route would carry all the bytes.
 */
function slowParts() {
  const { prototype } = XMLHttpRequest
  const usual = { open: prototype.open as (...given: unknown[]) => void, send: prototype.send, abort: prototype.abort }
  const [puts, sent] = [new WeakSet<XMLHttpRequest>(), new Set<XMLHttpRequest>()]
  const waiting = new Map<XMLHttpRequest, ReturnType<typeof setTimeout>>()
  prototype.open = function (this: XMLHttpRequest, ...given: unknown[]) {
    if (given[0] === 'PUT') {
      puts.add(this)
      // runs before the page's own listeners, which may send the next part at once
      for (const end of ['load', 'error', 'abort']) this.addEventListener(end, () => sent.delete(this))
    }
    usual.open.apply(this, given)
  } as typeof prototype.open
  prototype.send = function (body) {
    if (!puts.has(this)) return usual.send.call(this, body)
    sent.add(this)
    sessionStorage.setItem('most', String(Math.max(sent.size, Number(sessionStorage.getItem('most')))))
    const begin = () => {
      waiting.delete(this)
      usual.send.call(this, body)
    }
    waiting.set(this, setTimeout(begin, 250))
  }
  prototype.abort = function () {
    clearTimeout(waiting.get(this))
    usual.abort.call(this)
    // the browser fires 'abort' only for requests that were sent
    if (waiting.delete(this)) this.dispatchEvent(new ProgressEvent('abort'))
  }
}

/** Records the parts in progress, and counts those that arrived. */
function watchParts(page: Page) {
  const seen = { now: new Set<Request>(), done: 0 }
  const isPart = (request: Request) => request.method() === 'PUT' && /partNumber=\d|\/parts\//.test(request.url())
  page.on('request', (request) => isPart(request) && seen.now.add(request))
  page.on('requestfinished', (request) => {
    if (seen.now.delete(request)) seen.done++
  })
  page.on('requestfailed', (request) => seen.now.delete(request))
  return seen
}

for (const store of STORES)
  test.describe(store, () => {
    test.beforeAll(async () => {
      shop = await startStoreShop(store, folder, { MAX_DIGITAL_FILE_MB: '200' })
    })
    test.afterAll(() => shop?.stop())

    test(
      `uploads 112 MB in parts, six at once, pauses, and resumes after a reload: ${store}`,
      { tag: ONCE },
      async ({ page, context, browser, faults }) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: shop!.url })
        await join(context.request, shop!.url)
        await page.addInitScript(slowParts)
        await openUploader(page, shop!.url, 'Digital file')
        const first = watchParts(page)
        await inputOf(page).setInputFiles(file)
        await uploadButton(page).click()
        await expect.poll(() => first.done).toBeGreaterThanOrEqual(4)
        await page.getByRole('button', { name: 'Pause', exact: true }).click()
        await expect(page.getByText('Paused').first()).toBeVisible()
        await expect.poll(() => first.now.size).toBe(0)
        const atPause = first.done
        await page.waitForTimeout(1200)
        expect(first.done).toBe(atPause)
        await page.getByRole('button', { name: 'Resume', exact: true }).click()
        await expect.poll(() => first.done).toBeGreaterThan(atPause)
        expect(await page.evaluate(() => sessionStorage.getItem('most'))).toBe('6')

        await page.reload()
        await openUploader(page, shop!.url, 'Digital file')
        const second = watchParts(page)
        await expect(page.getByText('Session restored')).toBeVisible()
        await expect(uploadButton(page)).toBeDisabled()
        await page.getByRole('button', { name: 'Re-select' }).click()
        await inputOf(page).setInputFiles(file)
        await page
          .getByRole('button', { name: /^(Resume|Upload 1 file)/ })
          .first()
          .click()
        await expect(page.getByText('Digital file uploaded successfully!').first()).toBeVisible({ timeout: 60_000 })
        // parts that arrived before the reload are not sent again
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
  })
