import type { Locator, Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { openS3 } from '../../src/uploads/s3/client.server.ts'
import { expect, stopClock } from '../shop.ts'
import { alertsOf, type Bench, closeMessages, empty, inputOf, type Live, uploadButton } from './page.ts'

// Reads the messages that the uploader shows.

const DEADLINE_MS = 6000
const texts = async (bench: Bench) => {
  await expect(alertsOf(bench.page).first()).toBeVisible()
  return (await alertsOf(bench.page).allInnerTexts()).map((text) => text.replace(/\s*\?$/, '').trim())
}

type Act = 'one' | 'two' | 'twice' | 'seven' | 'broken' | 'upload'

/** Returns the messages after `act` under `restrictions`. */
export const refusedBy = (restrictions: object, act: Act) => async (bench: Bench) => {
  // removes earlier messages
  await bench.page.clock.fastForward(DEADLINE_MS)
  await closeMessages(bench.page)
  await empty(bench, restrictions)
  await expect(alertsOf(bench.page)).toHaveCount(0)
  await bench.live.evaluate((uppy, name) => {
    const row = (name: string) => ({
      ...{ name, type: 'text/plain' },
      data: new File(['twelve bytes'], name, { lastModified: 1 }),
    })
    const work: Record<typeof name, () => unknown> = {
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
      work[name]()
    } catch {
      // the uploader shows the error as a message
    }
  }, act)
  return texts(bench)
}

/** Returns the messages after a choice of a file, under the shop's own restrictions. */
export const refusedChoice =
  (name: string, mimeType: string, bytes: number) =>
  async ({ page, ...bench }: Bench) => {
    await page.clock.fastForward(DEADLINE_MS)
    await closeMessages(page)
    await expect(alertsOf(page)).toHaveCount(0)
    await inputOf(page).setInputFiles({ name, mimeType, buffer: Buffer.alloc(bytes) })
    return texts({ page, ...bench })
  }

/** Returns the messages after adding a file of `size`, under the shop's own restrictions. */
export const refusedSize = (name: string, size: number) => async (bench: Bench) => {
  await bench.live.evaluate(
    (uppy, file) => uppy.addFiles([{ name: file.name, data: { size: file.size, type: '', slice: () => new Blob() } }]),
    { name, size },
  )
  return texts(bench)
}

/** Returns the message after an upload of a picture of 6 megapixels, which the browser scales down. */
export async function largePicture(bench: Bench) {
  const { page } = bench
  await empty(bench, { maxNumberOfFiles: 1 })
  const picture = sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#2740b5' } })
  const buffer = await picture.avif({ effort: 0 }).toBuffer()
  await inputOf(page).setInputFiles({ name: 'row.avif', mimeType: 'image/avif', buffer })
  await uploadButton(page).click()
  const says = page.getByText('Image uploaded successfully!').first()
  await expect(says).toBeVisible()
  return says.innerText()
}

/** Returns the error of a file whose required field is empty. */
export const missingField = async (bench: Bench) => {
  await refusedBy({ requiredMetaFields: ['name'] }, 'upload')(bench)
  return bench.live.evaluate((uppy) => uppy.getFiles()[0]!.error)
}

/** Returns the message of an upload that a hook of the page stopped. */
export const stoppedByHook = async (bench: Bench) => {
  await empty(bench)
  return bench.live.evaluate(async (uppy) => {
    const { onBeforeUpload } = uppy.opts
    uppy.setOptions({ onBeforeUpload: () => false })
    const says = await uppy.upload().then(String, (error: Error) => error.message)
    uppy.setOptions({ onBeforeUpload })
    return says
  })
}

/** Returns the error of a part without a key. */
export const unnamedPart = ({ live }: Bench) =>
  live.evaluate((uppy) => {
    const sign = uppy.getPlugin('AwsS3Multipart').opts.signPart as (...of: object[]) => Promise<unknown>
    return sign({}, {}).then(String, (error: Error) => error.message)
  })

const PUT = /\/(objects|incoming)\/[^/]+\?/
const TEXT = Buffer.from('twelve bytes')

/** Returns the messages of a second file and of a second start during an upload. */
export async function whileUploading(bench: Bench) {
  const { page, live } = bench
  await choose(bench)
  const held = Promise.withResolvers<Route>()
  await page.route(PUT, (route) => held.resolve(route))
  await uploadButton(page).click()
  const route = await held.promise
  const says = await live.evaluate(async (uppy) => {
    try {
      uppy.addFile({ name: 'other.txt', data: new File(['a'], 'other.txt') })
    } catch {
      // the uploader shows the error as a message
    }
    return uppy.upload().then(String, (error: Error) => error.message)
  })
  const shown = (await texts(bench)).filter((text) => text !== says)
  await live.evaluate((uppy) => uppy.cancelAll())
  await page.unroute(PUT)
  await route.abort().catch(() => undefined)
  return { file: shown, start: says }
}

async function choose(bench: Bench, buffer = TEXT) {
  await bench.page.clock.fastForward(DEADLINE_MS)
  await closeMessages(bench.page)
  await empty(bench, { maxNumberOfFiles: 1 })
  await inputOf(bench.page).setInputFiles({ name: 'row.txt', mimeType: 'text/plain', buffer })
  await expect(uploadButton(bench.page)).toBeEnabled()
}

/** Returns the error details of a failed upload, without its title and file name. */
export async function readDetails(page: Page, details: Locator): Promise<string> {
  const told = page.waitForEvent('dialog')
  void details.click().catch(() => undefined)
  const dialog = await told
  await dialog.accept()
  const [, says] = /^Upload failed\s+Failed to upload \S+ (.+)$/.exec(dialog.message())!
  return says!
}

export const detailsButton = (page: Page) => page.getByRole('button', { name: 'Show error details' }).first()

/** Starts an upload that must fail, checks its messages and returns its error details. */
async function fail(bench: Bench) {
  const { page } = bench
  await uploadButton(page).click()
  await expect(detailsButton(page)).toBeVisible()
  await expect(page.locator('.uppy-StatusBar')).toContainText('Upload failed')
  await expect(alertsOf(page).filter({ hasText: 'Failed to upload row.txt' })).toBeVisible()
  return readDetails(page, detailsButton(page))
}

/** Returns the error details of an upload whose PUT `change` modifies. */
export const failsWhen = (change: (route: Route, bench: Bench) => Promise<void>) => async (bench: Bench) => {
  await choose(bench)
  await bench.page.route(PUT, (route) => change(route, bench))
  const says = await fail(bench)
  await bench.page.unroute(PUT)
  return says
}

export const cut = (route: Route) => route.abort()

export const forge = (route: Route) =>
  route.continue({
    url: route
      .request()
      .url()
      .replace(/(signature=)..../i, '$10000'),
  })

/** Answers without a reason, which no store of the tests does. */
export const refuse = (route: Route) => route.fulfill({ status: 404, body: '' })

/** Sends the upload with an expired URL. A bucket's URL expires after its second, the shop's after its first use. */
export async function expire(route: Route, { shop }: Bench) {
  const request = route.request()
  if (shop.bucket) {
    const key = new URL(request.url()).pathname.split('/').slice(2).join('/')
    const url = await openS3(shop.bucket).presign('PUT', key, { seconds: 1 })
    await new Promise((done) => setTimeout(done, 1100))
    return route.continue({ url })
  }
  expect((await route.fetch()).status()).toBe(200)
  return route.continue()
}

/** Returns the error details of a file above the bytes that the account may upload in a day. */
export async function aboveDailyBytes(bench: Bench) {
  await choose(bench, Buffer.alloc(1024 * 1024 + 1))
  return fail(bench)
}

/** Returns the error details after the session ended. Stops the clock, because the page would then open sign-in. */
export async function withoutSession(bench: Bench) {
  const context = bench.page.context()
  await choose(bench)
  const cookies = await context.cookies()
  await stopClock(bench.page)
  await context.clearCookies()
  const says = await fail(bench)
  await context.addCookies(cookies)
  return says
}

/** Returns if the notice of a lost connection stays for a minute, and how long the notice of its return stays. */
export async function connectionNotices(bench: Bench) {
  const { page } = bench
  const context = page.context()
  await page.clock.fastForward(DEADLINE_MS)
  await empty(bench)
  const notice = alertsOf(page).filter({ hasText: 'No Internet connection' })
  await context.setOffline(true)
  await expect(notice).toBeVisible()
  await page.clock.fastForward(60_000)
  const lost = await notice.isVisible()
  await stopClock(page)
  const hidden = await bench.live.evaluateHandle((uppy: Live) => {
    const times: number[] = []
    uppy.once('back-online', () => {
      const start = Date.now()
      uppy.once('info-hidden', () => times.push(Date.now() - start))
    })
    return times
  })
  await context.setOffline(false)
  await expect(alertsOf(page).filter({ hasText: 'Connected to the Internet' })).toBeVisible()
  const messages = await bench.live.evaluate((uppy) => uppy.getState().info.length)
  await page.clock.runFor(4000)
  await page.clock.resume()
  return { lost, shown: messages, stays: await hidden.jsonValue() }
}
