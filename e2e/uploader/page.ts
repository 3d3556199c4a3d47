import type { JSHandle, Page } from '@playwright/test'
import { expect, stopClock } from '../shop.ts'
import type { StoreShop } from './stores.ts'

// Drives the uploader of a page.

export type Kind = 'Product image' | 'Digital file'
export type Row = { name: string; type?: string; data: unknown; meta?: object; isRemote?: boolean; remote?: object }
type Progress = { bytesUploaded?: number; bytesTotal?: number; uploadStarted?: number | null; uploadComplete?: boolean }
export type LiveFile = { id: string; name: string; type: string; preview?: string; error?: string; progress: Progress }

export type Plugin = { opts: Record<string, unknown>; setOptions: (options: object) => void }
export type Thumbnails = Plugin & {
  requestThumbnail: (file: LiveFile) => Promise<void>
  createThumbnail: (file: { data: Blob }, width: number, height: null) => Promise<string>
  resizeImage: (image: HTMLCanvasElement, width: number, height: number) => HTMLCanvasElement
}
export type Live = {
  opts: Record<string, unknown>
  getPlugin: <P = Plugin>(id: string) => P
  setOptions: (options: object) => void
  getState: () => Record<string, unknown> & { info: { message: string }[]; allowNewUpload: boolean }
  setState: (state: object) => void
  addFile: (row: Row) => string
  addFiles: (rows: Row[]) => void
  upload: () => Promise<unknown>
  cancelAll: () => void
  getFile: (id: string) => LiveFile
  getFiles: () => LiveFile[]
  setFileState: (id: string, state: object) => void
  setFileMeta: (id: string, meta: object) => void
  info: (message: string, type?: string, duration?: number) => void
  emit: (event: string, ...of: unknown[]) => void
  on: (event: string, act: () => void) => void
  once: (event: string, act: () => void) => void
}

/** A page with an open uploader. */
export type Bench = { page: Page; shop: StoreShop; live: JSHandle<Live>; kind: Kind }

export const inputOf = (page: Page) =>
  page.locator('input.uppy-Dashboard-input[type=file]:not([webkitdirectory])').first()
export const uploadButton = (page: Page) => page.getByRole('button', { name: 'Upload 1 file' })
export const alertsOf = (page: Page) => page.locator('.uppy-Informer').first().getByRole('alert')

/** Closes the error messages, which stay until the seller closes them. */
export async function closeMessages(page: Page) {
  const close = page.getByRole('button', { name: /^Close the messages?$/ })
  if (await close.isVisible()) await close.click()
}

/** Opens home and the uploader of this kind. */
export async function openUploader(page: Page, url: string, kind: Kind) {
  await page.goto(url)
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  await page.getByRole('dialog', { name: 'Add Product' }).getByRole('button', { name: kind }).click()
  await expect(page.locator('.uppy-Dashboard-inner')).toBeVisible()
}

/** Returns the uploader of the page from its rendered tree, because a page does not expose it. */
export const liveOf = (page: Page) =>
  page.evaluateHandle(() => {
    type Drawn = { props?: { uppy?: unknown }; __k?: Drawn[] | Drawn | null } | null | undefined
    const find = (drawn: Drawn): unknown =>
      drawn?.props?.uppy ?? [drawn?.__k ?? []].flat().reduce((found: unknown, part) => found ?? find(part), undefined)
    return find(document.querySelector('.uppy-Root') as unknown as Drawn)
  }) as Promise<JSHandle<Live>>

/** Empties the uploader, removes its messages and sets only these restrictions. */
export const empty = ({ live }: Bench, restrictions: object = {}) =>
  live.evaluate((uppy, given) => {
    uppy.cancelAll()
    uppy.setState({ info: [] })
    const none = { maxFileSize: null, minFileSize: null, maxTotalFileSize: null, maxNumberOfFiles: null }
    uppy.setOptions({
      restrictions: { ...none, minNumberOfFiles: null, allowedFileTypes: null, requiredMetaFields: [], ...given },
    })
  }, restrictions)

/** Stops the page's clock, runs `act`, advances the clock by `ms` and returns the list that `act` filled. */
export async function listFor<T>({ page, live }: Bench, ms: number, act: (uppy: Live) => T[]): Promise<T[]> {
  await stopClock(page)
  const list = await live.evaluateHandle(act)
  await page.clock.runFor(ms)
  const noted = (await list.jsonValue()) as T[]
  await page.clock.resume()
  return noted
}
