import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { PrintedCover } from './PrintedCover.tsx'

const categories = ['gift-cards', 'crypto', 'prepaid', 'ebooks', 'courses', 'software', 'audio', 'something-new']

test.each(categories)('hides a decorative cover in %s from screen readers, without ids or warnings', (categoryId) => {
  const complaint = vi.spyOn(console, 'error')
  const product = { id: '7', categoryId, title: 'A <b>bold</b> title & more, $25' }
  const html = renderToStaticMarkup(createElement(PrintedCover, { product, className: 'wide' }))
  expect(html).toMatch(/^<svg class="cover cover--(deep|bold|tint|paper) wide" style="--h:\d+" viewBox="0 0 320 240"/)
  expect(html).toContain('aria-hidden="true"')
  expect(html).not.toMatch(/ id=|<b>|undefined/)
  expect(complaint).not.toHaveBeenCalled()
})
