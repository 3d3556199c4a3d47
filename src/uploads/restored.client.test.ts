import { afterEach, expect, test, vi } from 'vitest'
import { restoreFiles } from './restored.client.ts'
import { createUppy, type ShopUploader } from './ShopUppy.client.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser that stores the state of an earlier visit. */
function storeState(id: string, files: object) {
  const stored = new Map([[`uppyState:${id}`, JSON.stringify({ metadata: { currentUploads: {}, files } })]])
  vi.stubGlobal('localStorage', {
    get length() {
      return stored.size
    },
    key: (n: number) => [...stored.keys()][n] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
}

const unfinished = { old: { id: 'old', name: 'old.txt', progress: { uploadStarted: null } } }

/** Opens an uploader of an earlier visit, and calls `act` before the library has read the stored files. */
async function openStored(files: object, most: number, act: (uppy: ShopUploader) => void) {
  storeState('uploader', files)
  const uppy = createUppy('files', { most })
  const isRestored = new Promise((resolve) => uppy.once('restored', resolve))
  restoreFiles(uppy)
  act(uppy)
  await isRestored
  return uppy
}

const addNew = (uppy: ShopUploader) =>
  uppy.addFile({ name: 'new.txt', type: 'text/plain', data: new File(['new'], 'new.txt') })
const namesOf = (uppy: ShopUploader) => uppy.getFiles().map(({ name }) => name)

test.each([
  ['no file', {}, 3, ['new.txt']],
  ['an uploaded file', { done: { id: 'done', progress: { complete: true } } }, 3, ['new.txt']],
  ['an unfinished file', unfinished, 3, ['old.txt', 'new.txt']],
  ['an unfinished file, where only one fits', unfinished, 1, ['new.txt']],
])('a file that is added while the browser restores %s stays', async (_, files, most, names) => {
  const uppy = await openStored(files, most, addNew)
  expect(namesOf(uppy)).toEqual(names)
  expect(uppy.getFiles().at(-1)?.data).toBeInstanceOf(Blob)
  uppy.leave()
})

test('a file that is removed while the browser restores others does not return', async () => {
  const uppy = await openStored(unfinished, 3, (opened) => opened.removeFile(addNew(opened)))
  expect(namesOf(uppy)).toEqual(['old.txt'])
  uppy.leave()
})

test('a file that is renamed while the browser restores others has its new name', async () => {
  const uppy = await openStored(unfinished, 3, (opened) => opened.setFileMeta(addNew(opened), { name: 'renamed.txt' }))
  expect(uppy.getFiles().at(-1)?.meta.name).toBe('renamed.txt')
  uppy.leave()
})
