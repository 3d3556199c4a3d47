import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CodeShares } from './CodeShares.tsx'
import { describePercent, describeShares, sharesOf } from './stock.texts.rules.ts'

const NONE = { free: 0, held: 0, sold: 0, void: 0, expired: 0 }
const show = (counts: typeof NONE) => renderToStaticMarkup(createElement(CodeShares, { counts }))

test('shows the share of each state that has codes, with a text for screen readers', () => {
  const html = show({ ...NONE, free: 600, sold: 300, void: 100 })
  expect(html).toContain('role="img" aria-label="1,000 codes: 600 for sale, 300 sold, 100 withdrawn."')
  expect([...html.matchAll(/<li>.*?<\/li>/g)].map(([item]) => item.replaceAll(/<[^>]*>/g, ''))).toEqual([
    'For sale 60%',
    'Sold 30%',
    'Withdrawn 10%',
  ])
  expect(html).not.toContain('data-state="held"')
})

test('shows no bar without codes', () => {
  expect(show(NONE)).toBe('')
})

test('shows <1% and >99% for shares that would be rounded to 0 % and 100 %', () => {
  expect([0.001, 0.5, 0.996, 1].map(describePercent)).toEqual(['<1%', '50%', '>99%', '100%'])
  expect(sharesOf({ ...NONE, sold: 1, held: 3 })).toEqual([
    { state: 'held', count: 3, share: 0.75 },
    { state: 'sold', count: 1, share: 0.25 },
  ])
  expect(describeShares({ ...NONE, expired: 1 })).toBe('1 code: 1 expired.')
})
