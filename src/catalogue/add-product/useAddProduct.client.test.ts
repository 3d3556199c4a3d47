import { afterEach, expect, test, vi } from 'vitest'
import type { ProductDetail } from '../catalogue.contract.ts'
import { addFiles } from './useAddProduct.ts'

const product = { id: '00000000-0000-4000-8000-000000000001', isActive: false, file: null } as ProductDetail
const listed = { ...product, isActive: true }
const image = { url: '/objects/1', name: 'a.png', sizeBytes: 1, previewUrl: null }
const file = { url: '/objects/2', name: 'a.pdf', sizeBytes: 1, previewUrl: null }

afterEach(() => void vi.unstubAllGlobals())

function answering(...answers: [status: number, body: unknown][]) {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    bodies.push(JSON.parse(init.body as string))
    const [status, body] = answers.shift()!
    return new Response(JSON.stringify(body), { status })
  })
  return bodies
}

test('binds both uploads in one call', async () => {
  const sent = answering([200, listed])
  expect(await addFiles(product, { image, file })).toEqual({ product: listed, problem: null })
  expect(sent).toEqual([{ imageURL: '/objects/1', digitalFileURL: '/objects/2' }])
})

test('sends nothing without uploads', async () => {
  const sent = answering()
  expect(await addFiles(product, { image: null, file: null })).toEqual({ product, problem: null })
  expect(sent).toEqual([])
})

test('adds the file even if the image is rejected', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const sent = answering([415, { message: 'The image must be a PNG.' }], [200, listed])
  expect(await addFiles(product, { image, file })).toEqual({
    product: listed,
    problem: 'We couldn’t add the image: The image must be a PNG.',
    isRefused: true,
  })
  expect(sent[1]).toEqual({ digitalFileURL: '/objects/2' })
  expect(logged).toHaveBeenCalledOnce()
})

test('leaves the product without its file and shows the reason when the upload fails', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  answering([503, { message: 'The shop is busy.' }])
  expect(await addFiles(product, { image: null, file })).toEqual({
    product,
    problem: 'We couldn’t add the files: The shop is busy.',
    isRefused: false,
  })
})
