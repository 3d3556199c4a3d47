import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Router } from 'wouter'
import type { ReviewRequest } from './requests.contract.ts'
import { ReviewRequests } from './ReviewRequests.tsx'

const show = (requests: ReviewRequest[]) => {
  const asked = { requests, isLoading: false, dismiss: async () => undefined, stop: async () => undefined }
  const Here = Router as FunctionComponent<{ ssrPath: string }>
  return renderToStaticMarkup(createElement(Here, { ssrPath: '/library' }, createElement(ReviewRequests, asked)))
}

test('renders nothing without a request', () => {
  expect(show([])).toBe('')
})

test('each request leads to the form of its product and can be dismissed', () => {
  const page = show([
    { productId: '7', title: 'Rain', categoryId: 'audio', imageUrl: null, askedAt: '2026-03-05T12:00:00.000Z' },
  ])
  expect(page).toContain('href="/product/7?review"')
  expect(page).toContain('aria-label="Write a review of Rain"')
  expect(page).toContain('aria-label="Not now: Rain"')
})
