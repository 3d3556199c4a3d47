import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepDraft, readDraft } from './draft.client.ts'

const values = { title: 'A book', description: '', price: '', categoryId: '' }
const empty = { ...values, title: '' }
const image = { url: '/objects/1', name: 'a.png', sizeBytes: 1, previewUrl: 'blob:x' }
const file = { url: '/objects/2', name: 'a.pdf', sizeBytes: 2, previewUrl: null }
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
  keepDraft('ada', { values, uploads: { image, file } })
  expect(readDraft('ada')).toEqual({ values, uploads: { image: { ...image, previewUrl: null }, file } })
  keepDraft('ada', { values: empty, uploads: { image: null, file } })
  expect(readDraft('ada')?.uploads).toEqual({ image: null, file })
})

test('deletes an empty draft and the draft of another member', () => {
  keepDraft('ada', { values, uploads: { image, file } })
  keepDraft('ada', { values: empty, uploads: { image: null, file: null } })
  expect(kept.size).toBe(0)
  keepDraft('ada', { values, uploads: { image, file } })
  expect(readDraft('bob')).toBe(null)
  expect(kept.size).toBe(0)
})

test('drops uploads that the server may have deleted, even after later text changes', () => {
  keepDraft('ada', { values, uploads: { image, file } })
  vi.advanceTimersByTime(19 * 3600_000)
  keepDraft('ada', { values: { ...values, title: 'Another' }, uploads: { image, file } })
  expect(readDraft('ada')?.uploads.file).toEqual(file)
  vi.advanceTimersByTime(2 * 3600_000)
  expect(readDraft('ada')).toEqual({ values: { ...values, title: 'Another' }, uploads: { image: null, file: null } })
})

test('reads a draft stored by an older version', () => {
  kept.set('product-draft', JSON.stringify({ userId: 'ada', values }))
  expect(readDraft('ada')).toEqual({ values, uploads: { image: null, file: null } })
  kept.set('product-draft', '{')
  expect(readDraft('ada')).toBe(null)
})

test('a page that staff see as a member leaves the draft of staff in place', async () => {
  keepDraft('sam', { values, uploads: { image, file } })
  const before = new Map(kept)
  vi.resetModules()
  const { shutStorage } = await import('../../kit/storage.client.ts')
  const inView = await import('./draft.client.ts')
  shutStorage()
  expect(inView.readDraft('ada')).toBe(null)
  inView.keepDraft('ada', { values, uploads: { image, file } })
  expect(kept).toEqual(before)
})
