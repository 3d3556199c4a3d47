import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EMPTY } from './addProduct.rules.ts'
import { draftOf, enteredOf, keepDraft, NOTHING, readDraft } from './draft.client.ts'

const values = { ...EMPTY, title: 'A book' }
const image = { url: '/objects/1', name: 'a.png', sizeBytes: 1, previewUrl: 'blob:x' }
const file = { url: '/objects/2', name: 'a.pdf', sizeBytes: 2, previewUrl: null }
const uploads = { image, file, more: [file] }
const id = '00000000-0000-4000-8000-000000000001'
let kept: Map<string, string>

beforeEach(() => {
  vi.useFakeTimers()
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('restores texts and uploads without the preview URL', () => {
  keepDraft('ada', { id, values, uploads })
  expect(readDraft('ada')).toEqual({ id, values, uploads: { ...uploads, image: { ...image, previewUrl: null } } })
  keepDraft('ada', { id, values: EMPTY, uploads: { ...NOTHING, file } })
  expect(readDraft('ada')?.uploads).toEqual({ image: null, file, more: [] })
})

test('deletes an empty draft and the draft of another member', () => {
  expect(keepDraft('ada', { id, values, uploads })).toBe(true)
  expect(keepDraft('ada', { id, values: EMPTY, uploads: NOTHING })).toBe(false)
  expect(kept.size).toBe(0)
  keepDraft('ada', { id, values, uploads })
  expect(readDraft('bob')).toBe(null)
  expect(kept.size).toBe(0)
})

test('drops uploads that the server may have deleted, even after later text changes', () => {
  const day = 24 * 3600_000
  keepDraft('ada', { id, values, uploads })
  vi.advanceTimersByTime(29 * day)
  keepDraft('ada', { id, values: { ...values, title: 'Another' }, uploads })
  expect(readDraft('ada')?.uploads.file).toEqual(file)
  vi.advanceTimersByTime(day)
  expect(readDraft('ada')).toEqual({ id, values: { ...values, title: 'Another' }, uploads: NOTHING })
})

test('reads a draft stored by an older version', () => {
  const texts = { title: 'A book', description: '', price: '', categoryId: '' }
  kept.set('product-draft', JSON.stringify({ userId: 'ada', values: texts }))
  expect(readDraft('ada')).toMatchObject({ values, uploads: NOTHING })
  kept.set('product-draft', '{')
  expect(readDraft('ada')).toBe(null)
})

test('an unfinished product of the account becomes the same draft, without uploads that the server deleted', () => {
  const entered = enteredOf({ values: { ...values, delivery: 'code' }, uploads: { ...uploads, image: null } })
  expect(entered).toMatchObject({ title: 'A book', delivery: 'code', image: null })
  expect(JSON.stringify(entered)).not.toContain('previewUrl')
  const unfinished = { id, entered, updatedAt: new Date().toISOString() }
  const draft = { id, values: { ...values, delivery: 'code' }, uploads: { ...uploads, image: null } }
  expect(draftOf(unfinished)).toEqual(draft)
  vi.advanceTimersByTime(30 * 24 * 3600_000)
  expect(draftOf(unfinished)).toEqual({ ...draft, uploads: NOTHING })
})

test('a page that staff see as a member does not change the draft of staff', async () => {
  keepDraft('sam', { id, values, uploads })
  const before = new Map(kept)
  vi.resetModules()
  const { shutStorage } = await import('../../kit/storage.client.ts')
  const inView = await import('./draft.client.ts')
  shutStorage()
  expect(inView.readDraft('ada')).toBe(null)
  inView.keepDraft('ada', { id, values, uploads })
  expect(kept).toEqual(before)
})
