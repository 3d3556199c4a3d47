import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ProductDetail } from './catalogue.contract.ts'
import { AboutProduct } from './AboutProduct.tsx'

const detail: ProductDetail = {
  id: '7',
  title: 'A',
  description: `Top${'\n'.repeat(1900)}end`,
  price: '5.00',
  categoryId: 'ebooks',
  imageUrl: null,
  isActive: true,
  sellerId: '8',
  sellerHandle: null,
  sellerName: 'Ada O.',
  rated: null,
  createdAt: '2026-03-05T12:00:00.000Z',
  file: null,
  moreFiles: [],
  totalBytes: 0,
  isMine: true,
  isFileMissing: true,
  isOutOfStock: false,
  isTakenDown: false,
  unlistedReason: null,
  rating: { product: [0, 0, 0, 0, 0], store: [0, 0, 0, 0, 0], samples: 0, productSamples: 0 },
}
const show = (more: Partial<ProductDetail>) =>
  renderToStaticMarkup(createElement(AboutProduct, { product: detail, detail: { ...detail, ...more } }))

test('shows the day since which a product is on sale only while it is listed', () => {
  expect(show({})).toContain('<dt>On sale since</dt><dd>Mar 5')
  const unlisted = show({ isActive: false, unlistedReason: 'You took it off sale.' })
  expect(unlisted).toContain('<dt>Added</dt><dd>Mar 5')
  expect(unlisted).not.toContain('On sale')
})

test('collapses long gaps in a stored description', () => {
  expect(show({})).toContain('>Top\n\nend</p>')
})
