import { afterEach, expect, test, vi } from 'vitest'
import type { ProductDetail } from '../catalogue.contract.ts'
import { EMPTY } from './addProduct.rules.ts'
import { addFiles, addUploads } from './useAddProduct.ts'
import { createDrafts } from './useCreateProduct.ts'

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
  expect(await addFiles(product, { image, file })).toEqual({
    product: listed,
    problem: null,
    left: { image: null, file: null },
  })
  expect(sent).toEqual([{ imageURL: '/objects/1', digitalFileURL: '/objects/2' }])
})

test('sends nothing without uploads', async () => {
  const sent = answering()
  expect(await addFiles(product, { image: null, file: null })).toEqual({
    product,
    problem: null,
    left: { image: null, file: null },
  })
  expect(sent).toEqual([])
})

test('adds the file even if the image is rejected', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const sent = answering([415, { message: 'The image must be a PNG.' }], [200, listed])
  expect(await addFiles(product, { image, file })).toEqual({
    product: listed,
    problem: 'We couldn’t add the image: The image must be a PNG.',
    isRefused: true,
    isOver: false,
    left: { image, file: null },
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
    isOver: false,
    left: { image: null, file },
  })
})

const more = ['3', '4', '5'].map((part) => ({ ...file, url: `/objects/${part}`, name: `${part}.pdf` }))
const BUSY: [number, unknown] = [503, { message: 'The shop is busy.' }]
const LIMIT: [number, unknown] = [429, { message: 'Please wait 60 s and try again.' }]

test('the last of many files puts the draft on sale', async () => {
  const sent = answering([200, product], [200, product], [200, product], [200, listed])
  expect(await addUploads(product, { image: null, file, more })).toMatchObject({ product: listed, left: { more: [] } })
  expect(sent.map((body) => (body as { putsOnSale?: true }).putsOnSale)).toEqual([
    undefined,
    undefined,
    undefined,
    true,
  ])
})

test('a draft whose second file fails is not put on sale, and the file remains', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const sent = answering([200, product], BUSY, [200, product], [200, product])
  const added = await addUploads(product, { image: null, file, more })
  expect(added).toMatchObject({ product, problem: 'We couldn’t add the files: The shop is busy.' })
  expect(added.left).toEqual({ image: null, file: null, more: [more[0]] })
  expect(JSON.stringify(sent)).not.toContain('putsOnSale')
  const again = answering([200, listed])
  expect(await addUploads(product, added.left)).toMatchObject({ product: listed, problem: null })
  expect(again).toEqual([{ digitalFileURL: '/objects/3', isAnother: true, putsOnSale: true }])
})

test('the first of many files remains if it fails, and becomes another file later', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  answering(BUSY, [200, product], LIMIT)
  const { left } = await addUploads(product, { image: null, file, more })
  expect(left).toEqual({ image: null, file: null, more: [file, more[1], more[2]] })
})

const values = { ...EMPTY, price: '4', categoryId: 'ebooks' }
const id = '00000000-0000-4000-8000-000000000002'

test('only the refused files remain after the creation of many drafts', async () => {
  answering([201, { id }], [415, { message: 'This is a program.' }], BUSY, [201, { id }])
  expect(await createDrafts(values, { image, file, more })).toMatchObject({ ids: [id, id], left: [more[0], more[1]] })
})

test('the creation of many drafts stops at the limit of calls, and the other files remain', async () => {
  const sent = answering([201, { id }], LIMIT)
  const { left, problem } = await createDrafts(values, { image, file, more })
  expect(left).toEqual(more)
  expect(problem).toMatchObject({ status: 429 })
  expect(sent).toHaveLength(2)
})
