import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ReviewItem } from './ReviewItem.tsx'
import type { Review } from './reviews.contract.ts'

test('collapses long gaps in a stored review', () => {
  const review: Review = {
    id: '7',
    author: 'Ada O.',
    stars: 5,
    text: `Top${'\n'.repeat(1900)}end`,
    createdAt: '2026-03-05T12:00:00.000Z',
    editedAt: null,
    isSample: false,
    isFree: false,
    answer: null,
  }
  expect(renderToStaticMarkup(createElement(ReviewItem, { review }))).toContain('>Top\n\nend</p>')
})
