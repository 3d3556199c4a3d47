import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import type { JSHandle, Page } from '@playwright/test'
import sharp from 'sharp'
import { startS3 } from '../sandbox/s3/server.ts'
import { setUpBucket } from '../src/uploads/s3/setup.server.ts'
import { join, type OwnShop, startOwnShop } from './ownShop.ts'
import { closeUploader, expect, forgive, ONCE, test } from './shop.ts'

// A file above 100 MB goes in parts, and the uploader has the constants and texts of the specification. Both run on a folder and on
// a stand-in for an S3 store.

test.describe.configure({ mode: 'serial' })

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

/** Notes the most PUTs of a page at once. Events of the test's own come too late for that. */
function countParts() {
  const { prototype } = XMLHttpRequest
  const usual = prototype.open as (...given: unknown[]) => void
  let now = 0
  prototype.open = function (this: XMLHttpRequest, ...given: unknown[]) {
    if (given[0] === 'PUT') {
      for (const end of ['load', 'error', 'abort']) this.addEventListener(end, () => now--, { once: true })
      sessionStorage.setItem('most', String(Math.max(++now, Number(sessionStorage.getItem('most')))))
    }
    usual.apply(this, given)
  } as typeof prototype.open
}

/** Counts the parts under way, and slows each down so that there is time to press. */
async function watchParts(page: Page) {
  const seen = { now: 0, done: 0 }
  await page.route(/partNumber=\d|\/parts\//, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    seen.now++
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

async function open(page: Page, kind: 'Product image' | 'Digital file' = 'Digital file') {
  await page.goto(shop!.url)
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  await page.getByRole('dialog', { name: 'Add Product' }).getByRole('button', { name: kind }).click()
  await expect(page.locator('.uppy-Dashboard-inner')).toBeVisible()
}

type Row = { name: string; type: string; data: Blob }
type Live = {
  opts: { infoTimeout: number; autoProceed: boolean; onBeforeUpload: unknown; onBeforeFileAdded: unknown }
  getPlugin: (id: string) => { opts: Record<string, unknown> }
  setOptions: (options: object) => void
  setState: (state: object) => void
  addFile: (row: Row) => string
  addFiles: (rows: Row[]) => void
  upload: () => Promise<unknown>
  cancelAll: () => void
  getFiles: () => { error?: string }[]
  setFileMeta: (id: string, meta: object) => void
  iteratePlugins: (each: (plugin: { id: string; opts: object }) => void) => void
}

/** The uploader of the page, found from what it drew: a page offers no way to it. */
const liveOf = (page: Page) =>
  page.evaluateHandle(() => {
    type Drawn = { props?: { uppy?: unknown }; __k?: Drawn[] | Drawn | null } | null | undefined
    const find = (drawn: Drawn): unknown =>
      drawn?.props?.uppy ?? [drawn?.__k ?? []].flat().reduce((found: unknown, part) => found ?? find(part), undefined)
    return find(document.querySelector('.uppy-Root') as unknown as Drawn)
  }) as Promise<JSHandle<Live>>

/** How a page shows each text of restrictions. `act` runs in the page. */
const REFUSALS: [text: string, restrictions: object, act: 'one' | 'two' | 'twice' | 'seven' | 'broken' | 'upload'][] = [
  ['You can only upload 1 file', {}, 'two'],
  ['row.txt exceeds maximum allowed size of 10 B', { maxFileSize: 10 }, 'one'],
  ['This file is smaller than the allowed size of 1000 B', { minFileSize: 1000 }, 'one'],
  ['You can only upload: image/*', { allowedFileTypes: ['image/*'] }, 'one'],
  ['You selected 12 B of files, but maximum allowed size is 10 B', { maxTotalFileSize: 10 }, 'one'],
  ["Cannot add the duplicate file 'row.txt', it already exists", {}, 'twice'],
  ['3 additional restrictions were not fulfilled', { maxFileSize: 10 }, 'seven'],
  ['Failed to add 2 files due to internal errors', { maxNumberOfFiles: 2 }, 'broken'],
  ['You have to select at least 2 files', { minNumberOfFiles: 2 }, 'upload'],
  ['Missing required meta fields', { requiredMetaFields: ['name'] }, 'upload'],
]

/** What an upload shows when its requests are answered so. */
const FAILURES: [text: string, path: RegExp, answer: { status: number; body?: string } | 'cut'][] = [
  [
    'Request has expired',
    /\/(objects|incoming)\/[^/]+\?/,
    { status: 403, body: '<Message>Request has expired</Message>' },
  ],
  ['Non 2xx', /\/(objects|incoming)\/[^/]+\?/, { status: 500 }],
  [
    'This looks like a network error, the endpoint might be blocked by an internet provider or a firewall.',
    /\/(objects|incoming)\/[^/]+\?/,
    'cut',
  ],
  [
    'One reason of the shop.',
    /\/api\/objects\/upload$/,
    { status: 409, body: '{"message":"One reason of the shop."}' },
  ],
]

for (const store of ['disk', 's3'] as const)
  test.describe(store, () => {
    test.beforeAll(() => openStore(store))
    test.afterAll(async () => {
      await shop?.stop()
      await closeStore?.()
      shop = closeStore = undefined
    })

    test(
      `a file of 112 MB goes in parts, six at once, is paused, and goes on after a reload: ${store}`,
      { tag: ONCE },
      async ({ page, context, browser, faults }) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: shop!.url })
        await join(context.request, shop!.url)
        await page.addInitScript(countParts)
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
        expect(await page.evaluate(() => sessionStorage.getItem('most'))).toBe('6')

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

    test(
      `the uploader shows the constants and texts of the specification: ${store}`,
      { tag: ONCE },
      async ({ page, context, faults }) => {
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.clock.install()
        await join(context.request, shop!.url)
        await open(page)
        const live = await liveOf(page)
        const alerts = page.locator('.uppy-Informer [role=alert]')

        expect(
          await live.evaluate((uppy) => {
            const { limit, retryDelays, shouldUseMultipart } = uppy.getPlugin('AwsS3Multipart').opts
            const { width, height, thumbnailWidth, thumbnailType, inline } = uppy.getPlugin('Dashboard').opts
            const isParted = shouldUseMultipart as (file: { size: number }) => boolean
            const plugins: string[] = []
            uppy.iteratePlugins(({ id }) => plugins.push(id))
            return {
              ...{ limit, retryDelays, width, height, thumbnailWidth, thumbnailType, inline },
              parted: [100 * 1024 ** 2, 100 * 1024 ** 2 + 1].map((size) => isParted({ size })),
              ...{ infoTimeout: uppy.opts.infoTimeout, autoProceed: uppy.opts.autoProceed },
              hasThumbnails: plugins.some((id) => id.includes('ThumbnailGenerator')),
            }
          }),
        ).toEqual({
          ...{ limit: 6, retryDelays: [0, 1000, 3000, 5000], width: 750, height: 550, thumbnailWidth: 280 },
          ...{
            thumbnailType: 'image/jpeg',
            inline: true,
            parted: [false, true],
            infoTimeout: 5000,
            autoProceed: false,
          },
          hasThumbnails: true,
        })
        await expect
          .poll(async () => {
            const { width, height } = (await page.locator('.uppy-Dashboard-inner').boundingBox())!
            return [Math.round(width), Math.round(height)]
          })
          .toEqual([750, 550])

        for (const [text, restrictions, act] of REFUSALS) {
          // the messages before are gone
          await page.clock.fastForward(6000)
          await live.evaluate(
            (uppy, [given, how]) => {
              const row = (name: string) => ({
                name,
                type: 'text/plain',
                data: new File(['twelve bytes'], name, { lastModified: 1 }),
              })
              uppy.setState({ info: [] })
              uppy.cancelAll()
              const usual = { maxNumberOfFiles: 1, maxFileSize: null, allowedFileTypes: null, minFileSize: null }
              const others = { maxTotalFileSize: null, minNumberOfFiles: null, requiredMetaFields: [] }
              uppy.setOptions({ restrictions: { ...usual, ...others, ...(given as object) } })
              const work = {
                one: () => uppy.addFile(row('row.txt')),
                two: () => uppy.addFiles([row('row.txt'), row('other.txt')]),
                twice: () => [row('row.txt'), row('row.txt')].map((same) => uppy.addFile(same)),
                seven: () => uppy.addFiles([1, 2, 3, 4, 5, 6, 7].map((n) => row(`${n}.txt`))),
                broken: () => {
                  const { onBeforeFileAdded } = uppy.opts
                  const fail = () => {
                    throw new Error('inside')
                  }
                  uppy.setOptions({ onBeforeFileAdded: fail })
                  try {
                    uppy.addFiles([row('row.txt'), row('other.txt')])
                  } finally {
                    uppy.setOptions({ onBeforeFileAdded })
                  }
                },
                upload: () => {
                  uppy.setFileMeta(uppy.addFile(row('row.txt')), { name: '' })
                  void uppy.upload().catch(() => undefined)
                },
              }
              try {
                work[how as keyof typeof work]()
              } catch {
                // the text tells
              }
            },
            [restrictions, act] as const,
          )
          await expect(alerts.filter({ hasText: text }).first(), text).toBeVisible()
        }
        await page.clock.fastForward(5000)
        await expect(alerts.filter({ hasText: 'Missing' })).toHaveCount(0)

        // texts that reach programs only
        expect(
          await live.evaluate(async (uppy) => {
            const says = (work: Promise<unknown>) => work.then(String, ({ message }: Error) => message)
            const missing = uppy.getFiles()[0]!.error
            uppy.cancelAll()
            const usual = { maxNumberOfFiles: 1, maxFileSize: null, minNumberOfFiles: null, requiredMetaFields: [] }
            uppy.setOptions({ restrictions: usual })
            const { onBeforeUpload } = uppy.opts
            uppy.setOptions({ onBeforeUpload: () => false })
            const stopped = await says(uppy.upload())
            uppy.setOptions({ onBeforeUpload })
            const sign = uppy.getPlugin('AwsS3Multipart').opts.signPart as (...of: object[]) => Promise<unknown>
            uppy.setState({ allowNewUpload: false })
            const busy = await says(uppy.upload())
            uppy.setState({ allowNewUpload: true, info: [] })
            return [missing, stopped, busy, await says(sign({}, {}))]
          }),
        ).toEqual([
          'Missing required meta fields in row.txt',
          'Not starting the upload because onBeforeUpload returned false',
          'Cannot create a new upload: already uploading.',
          'Cannot sign without a key, an uploadId, and a partNumber',
        ])

        const text = { name: 'row.txt', mimeType: 'text/plain', buffer: Buffer.from('twelve bytes') }
        const reset = async () => {
          await live.evaluate((uppy) => (uppy.setState({ info: [] }), uppy.cancelAll()))
          await inputOf(page).setInputFiles(text)
        }
        for (const [says, path, answer] of FAILURES) {
          await page.clock.fastForward(6000)
          await reset()
          await page.route(path, (route) => (answer === 'cut' ? route.abort() : route.fulfill(answer)))
          await page.getByRole('button', { name: 'Upload 1 file' }).click()
          const details = page.getByRole('button', { name: 'Show error details' }).first()
          await expect(details, says).toBeVisible()
          await expect(alerts.filter({ hasText: 'Failed to upload row.txt' }).first()).toBeVisible()
          const told = page.waitForEvent('dialog')
          void details.click().catch(() => undefined)
          const dialog = await told
          await dialog.accept()
          expect(dialog.message()).toMatch(new RegExp(`^Upload failed\\s[^]*${says}$`))
          await page.unroute(path)
        }

        await page.clock.fastForward(6000)
        await context.setOffline(true)
        await page.clock.fastForward(60_000)
        await expect(alerts.filter({ hasText: 'No Internet connection' }).first()).toBeVisible()
        await context.setOffline(false)
        await expect(alerts.filter({ hasText: 'Connected to the Internet' }).first()).toBeVisible()
        await page.clock.fastForward(3000)
        await expect(alerts.filter({ hasText: 'Connected to the Internet' })).toHaveCount(0)

        // a small file in parts names the paths of Companion
        await reset()
        const seen: string[] = []
        page.on('request', (request) => seen.push(`${request.method()} ${request.url().replace(shop!.url, '')}`))
        await live.evaluate((uppy) =>
          (uppy.getPlugin('AwsS3Multipart') as unknown as Live).setOptions({ shouldUseMultipart: true }),
        )
        await page.getByRole('button', { name: 'Upload 1 file' }).click()
        await expect(page.getByText('Digital file uploaded successfully!').first()).toBeVisible()
        for (const request of [
          /^POST \/companion\/s3\/multipart$/,
          /^GET \/companion\/s3\/multipart\/[^/]+\/1\?key=/,
          /^PUT .*(\/parts\/1\?|partNumber=1)/,
          /^POST \/companion\/s3\/multipart\/[^/]+\/complete\?key=/,
        ])
          expect(
            seen.filter((line) => request.test(line)),
            String(request),
          ).toHaveLength(1)

        // the browser makes a picture smaller that takes the shop too much memory
        await page.reload()
        await open(page, 'Product image')
        const picture = sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#2740b5' } })
        const avif = await picture.avif({ effort: 0 }).toBuffer()
        await inputOf(page).setInputFiles({ name: 'row.avif', mimeType: 'image/avif', buffer: avif })
        await page.getByRole('button', { name: 'Upload 1 file' }).click()
        await expect(page.getByText('Image uploaded successfully!').first()).toBeVisible()
        forgive(faults, /net::ERR_(FAILED|ABORTED|INTERNET_DISCONNECTED)|status of 500|^500 /)
      },
    )
  })
