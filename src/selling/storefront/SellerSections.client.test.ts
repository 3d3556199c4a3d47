import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { HeaderPicture } from './SellerHead.tsx'
import { About } from './SellerSections.tsx'

test('a link of a seller opens another site and sends no referrer', () => {
  const links = [{ label: '<b>Blog</b>', url: 'https://example.com/?a=1&b=2' }]
  const page = renderToStaticMarkup(createElement(About, { bio: '', links }))
  expect(page).toContain('href="https://example.com/?a=1&amp;b=2"')
  expect(page).toContain('target="_blank" rel="noopener noreferrer nofollow ugc"')
  expect(page).toContain('&lt;b&gt;Blog&lt;/b&gt;')
  expect(page).toContain('(opens another site)')
})

test('a stored header picture has all sizes, and one that was just chosen has its own address only', () => {
  const show = (url: string) =>
    renderToStaticMarkup(createElement(HeaderPicture, { header: { url, color: '#2740b5' } }))
  const stored = show('/images/1/640.webp')
  expect(stored).toContain('/images/1/1280.avif 1280w')
  expect(stored).toContain('background:#2740b5')
  expect(show('blob:http://shop.test/1')).not.toMatch(/srcset/i)
})
