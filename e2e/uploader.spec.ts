import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import sharp from 'sharp'
import { closeUploader, expect, forgive, signUp, test, untilStill } from './shop.ts'

// A browser without a camera app, at the width of a phone.
test.use({ isMobile: false, hasTouch: false, viewport: { width: 390, height: 844 } })

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add Product' })
const inputOf = (page: Page) => page.locator('input.uppy-Dashboard-input[type=file]:not([webkitdirectory])').first()
const uploadButton = (page: Page) => page.getByRole('button', { name: 'Upload 1 file' })

async function open(page: Page, kind: 'Product image' | 'Digital file') {
  if (!(await dialogOf(page).isVisible())) await page.getByRole('button', { name: 'Add Product' }).first().click()
  await dialogOf(page).getByRole('button', { name: kind }).click()
  await expect(page.locator('.uppy-Dashboard-inner')).toBeVisible()
}

/** Returns the violations that axe finds in the uploader: all rules in light mode, colours in dark mode. */
async function findViolations(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found: string[] = []
  for (const mode of ['dark', 'light']) {
    await page.evaluate((name) => (document.documentElement.dataset.mode = name), mode)
    await untilStill(page)
    const seen = await page.evaluate(
      async (rules) => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run('.uploader', rules)
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
      },
      mode === 'dark' ? { runOnly: ['color-contrast'] } : {},
    )
    found.push(...seen.map((what) => `${mode}, ${what}`))
  }
  return found
}

/** Replaces the camera by a fake. The session storage of the tab contains its state. */
function fakeCamera() {
  const { mediaDevices } = navigator
  const hasCamera = () => sessionStorage.getItem('camera') !== null
  const camera = { kind: 'videoinput', deviceId: 'a', label: 'Camera', groupId: '' } as MediaDeviceInfo
  mediaDevices.enumerateDevices = async () => (hasCamera() ? [camera] : [])
  mediaDevices.getUserMedia = async () => {
    if (!hasCamera()) throw new DOMException('Requested device not found', 'NotFoundError')
    if (sessionStorage.getItem('camera') === 'refused') throw new DOMException('Permission denied', 'NotAllowedError')
    const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 300 })
    const context = canvas.getContext('2d')!
    setInterval(() => context.fillRect(performance.now() % 300, 0, 20, 240), 50)
    return canvas.captureStream()
  }
}

/** Returns true if the browser saved the cropped photo: its bytes in IndexedDB and its size in localStorage. */
async function isSquareKept() {
  const { promise, resolve } = Promise.withResolvers<{ data: Blob }[]>()
  indexedDB.open('uppy-blobs').onsuccess = ({ target }) => {
    const database = (target as IDBOpenDBRequest).result
    const asked = database.transaction('files').objectStore('files').getAll() as IDBRequest<{ data: Blob }[]>
    asked.onsuccess = () => resolve(asked.result)
    database.close()
  }
  const kept = await promise
  if (kept.length !== 1) return false
  const { width, height } = await createImageBitmap(kept[0]!.data)
  const isNoted = Object.values(localStorage).some((text) => String(text).includes(`"size":${kept[0]!.data.size}`))
  return width === 300 && height === 300 && isNoted
}

/** Drops files or folders of this machine on the uploader, as a file manager would. */
async function drop(page: Page, ...files: string[]) {
  const box = (await page.locator('.uppy-Dashboard-inner').boundingBox())!
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  await session.detach()
}

test('a photo is taken, cropped and uploaded, and survives a reload before and after the upload', async ({ page }) => {
  await page.addInitScript(fakeCamera)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signUp(page)
  await open(page, 'Product image')
  await page.getByRole('tab', { name: 'Camera' }).click()
  await expect(page.getByText('Camera Not Available')).toBeVisible()
  await expect(
    page.getByText('In order to take pictures or record video, please connect a camera device'),
  ).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.evaluate(() => sessionStorage.setItem('camera', 'refused'))
  await page.getByRole('tab', { name: 'Camera' }).click()
  await expect(page.getByText('Please allow access to your camera')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.evaluate(() => sessionStorage.setItem('camera', 'allowed'))
  await page.getByRole('tab', { name: 'Camera' }).click()
  await page.getByRole('button', { name: 'Take a picture' }).click()
  await page.getByRole('button', { name: 'Submit recorded file' }).click()

  await page.getByRole('button', { name: /^Edit file cam-/ }).click()
  await page.getByRole('button', { name: 'Edit image' }).click()
  await page.getByRole('button', { name: 'Crop square' }).click()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(uploadButton(page)).toBeVisible()
  await page.waitForFunction(isSquareKept)

  await page.reload()
  await open(page, 'Product image')
  await expect(page.getByText('Session restored')).toBeVisible()
  await expect(page.getByText('We restored all files. You can now resume the upload.')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  const sent = Promise.withResolvers<Buffer>()
  await page.route('**/objects/*?*', (route) => {
    sent.resolve(route.request().postDataBuffer()!)
    return route.continue()
  })
  await uploadButton(page).click()
  const { width, height } = await sharp(await sent.promise).metadata()
  expect([width, height]).toEqual([300, 300])
  await expect(page.getByText('Image uploaded successfully!').first()).toBeVisible()
  await closeUploader(page)
  await expect(page.getByRole('dialog', { name: 'Product image' })).toBeHidden()

  await page.reload()
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  await expect(dialogOf(page).getByText('Draft restored')).toBeVisible()
  await expect(dialogOf(page).getByRole('button', { name: /Product image cam-.*\.jpg/ })).toBeVisible()
})

test('accepts a file from a folder, the clipboard or a link, restores it after a new sign-in and asks again for one too large to save', async ({
  page,
  faults,
}) => {
  const account = await signUp(page)
  await open(page, 'Digital file')
  const folder = mkdtempSync(join(tmpdir(), 'primo-chosen-'))
  for (const name of ['one.txt', 'two.txt']) writeFileSync(join(folder, name), name)
  await page.locator('input.uppy-Dashboard-input[webkitdirectory]').first().setInputFiles(folder)
  await expect(page.getByText('You can only upload 1 file').first()).toBeVisible()

  const album = join(folder, 'album')
  mkdirSync(join(album, 'inner'), { recursive: true })
  writeFileSync(join(album, 'inner', 'deep.txt'), 'deep')
  await drop(page, join(folder, 'one.txt'))
  await expect(page.getByText('one.txt').first()).toBeVisible()
  await page.getByRole('button', { name: /^Remove file/ }).click()
  await drop(page, album)
  await expect(page.getByText('deep.txt').first()).toBeVisible()
  await page.getByRole('button', { name: /^Remove file/ }).click()
  writeFileSync(join(album, 'second.txt'), 'second')
  await drop(page, album)
  await expect(page.getByText('You can only upload 1 file').first()).toBeVisible()
  await expect(page.getByText('deep.txt')).toBeHidden()

  const large = join(folder, 'large.bin')
  writeFileSync(large, Buffer.alloc(11 * 1024 * 1024, 7))
  await inputOf(page).setInputFiles(large)
  await expect(uploadButton(page)).toBeEnabled()
  await page.waitForFunction(() => Object.values(localStorage).some((text) => String(text).includes('large.bin')))
  await page.reload()
  await open(page, 'Digital file')
  await expect(
    page.getByText('We could not fully recover 1 file. Please re-select it and resume the upload.'),
  ).toBeVisible()
  await expect(uploadButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Re-select' }).click()
  await inputOf(page).setInputFiles(large)
  await expect(uploadButton(page)).toBeEnabled()
  await page.getByRole('button', { name: /^Remove file/ }).click()

  await page.locator('.uppy-Dashboard-inner').evaluate((dashboard) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['from the clipboard'], 'pasted.txt', { type: 'text/plain' }))
    dashboard.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  await expect(page.getByText('pasted.txt').first()).toBeVisible()
  await page.waitForFunction(() => Object.values(localStorage).some((text) => String(text).includes('pasted.txt')))
  await page.context().clearCookies()
  await uploadButton(page).click()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await open(page, 'Digital file')
  await expect(page.getByText('pasted.txt').first()).toBeVisible()
  await uploadButton(page).click()
  await expect(page.getByText('Digital file uploaded successfully!').first()).toBeVisible()
  await closeUploader(page)
  await dialogOf(page)
    .getByRole('button', { name: /pasted\.txt, 18 B/ })
    .click()

  await page.getByRole('tab', { name: 'Link' }).click()
  const address = page.getByPlaceholder('Enter URL to import a file')
  await address.fill('http://localhost/secret.pdf')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('This address doesn’t lead to a public server.').first()).toBeVisible()
  expect(await findViolations(page)).toEqual([])

  // no public server is reachable, so the test answers for the shop
  await page.route('**/url/meta', (route) => route.fulfill({ json: { name: 'guide.pdf', size: 2048 } }))
  const lines = [
    { bytesUploaded: 1024, bytesTotal: 2048 },
    { uploadURL: '/objects/1', bytesUploaded: 2048 },
  ]
  await page.route('**/url/get', (route) => {
    expect(route.request().postDataJSON()).toEqual({ url: 'https://files.example/guide.pdf', kind: 'file' })
    return route.fulfill({ body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') })
  })
  await address.fill('https://files.example/guide.pdf')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await uploadButton(page).click()
  await expect(page.getByText('Digital file uploaded successfully!').first()).toBeVisible()
  await closeUploader(page)
  await expect(dialogOf(page).getByRole('button', { name: /guide\.pdf, 2\.0 KB/ })).toBeVisible()
  forgive(faults, /status of 40[01]/)
  rmSync(folder, { recursive: true, force: true })
})
