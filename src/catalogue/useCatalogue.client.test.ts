import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { keyOf } from '../kit/query/query.client.ts'
import { listReviews } from '../reviews/reviews.contract.ts'
import { pageQuery, useProduct } from './useCatalogue.ts'

const cache = new QueryClient()
const page = (items: object[]) => ({ items, total: items.length, after: null })

function titleOf(id: string) {
  const Title = () => useProduct(id).product?.title
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: cache }, createElement(Title)))
}

test('shows a product of a cached list while its details load, never a review with the same id', () => {
  cache.setQueryData(keyOf(listReviews, { id: '9', limit: 5 }), { pages: [page([{ id: '1', title: 'A review' }])] })
  expect(titleOf('1')).toBe('')
  cache.setQueryData(pageQuery({ limit: 3 }).queryKey, page([{ id: '1', title: 'A book' }]))
  cache.setQueryData(pageQuery({ limit: 9 }).queryKey, { pages: [page([{ id: '2', title: 'A course' }])] })
  expect([titleOf('1'), titleOf('2')]).toEqual(['A book', 'A course'])
})
