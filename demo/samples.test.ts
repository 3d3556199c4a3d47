import { expect, test } from 'vitest'
import { readEntry, readZip } from '../src/uploads/checks/zip.server.ts'
import { sniff } from '../src/uploads/checks/sniff.rules.ts'
import { sampleOf } from './samples.ts'
import { type DemoProduct, readProducts } from './seed.ts'

const products = readProducts()
/** The paid books, recordings and written courses. */
const sampled = products.filter(
  ({ categoryId, file, price }) => ['ebooks', 'audio', 'courses'].includes(categoryId) && file && Number(price) > 0,
)

test('every book, sound and course of the demo store has a sample or a free lesson', async () => {
  const without = (
    await Promise.all(
      products
        .filter(
          ({ categoryId, price, parts }) => /ebooks|audio|courses/.test(categoryId) && Number(price) > 0 && !parts,
        )
        .map(async (product) => {
          const hasLesson = product.course?.some((part) => 'isPreview' in part && part.isPreview)
          return hasLesson || (await sampleOf(product)) ? [] : [product.slug]
        }),
    )
  ).flat()
  expect(without).toEqual([])
})

test.each(sampled)('the sample of $title is a small part of it', async (product: DemoProduct) => {
  const { bytes, shown, whole } = (await sampleOf(product))!
  expect(shown).toBeLessThan(whole)
  expect(bytes.length).toBeLessThan(150 * 1024)
  expect(sniff(bytes).contentType).toBe(product.fileType === 'wav' ? 'audio/wav' : 'application/epub+zip')
})

test('a sample of a book has the text of its first chapter only', async () => {
  const { bytes } = (await sampleOf(products.find(({ slug }) => slug === 'salt-and-time')!))!
  const read = async (start: number, length: number) => Buffer.from(bytes).subarray(start, start + length)
  const entries = (await readZip(read, bytes.length))!
  const texts = await Promise.all(entries.map(async (entry) => (await readEntry(read, entry, 100_000))!.toString()))
  expect(texts.join('\n')).toContain('Weigh the vegetables')
  expect(entries.map(({ name }) => name).filter((name) => name.includes('chapter'))).toEqual(['EPUB/chapter-1.xhtml'])
})

test('products of other categories and free products have no sample', async () => {
  const others = products.filter((product) => !sampled.includes(product))
  expect(await Promise.all(others.map(sampleOf))).toEqual(others.map(() => null))
})
