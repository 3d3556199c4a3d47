import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { FollowButton } from './FollowButton.tsx'
import { type Followed, listFollowed } from './follows.contract.ts'

const SELLER = { id: 'ada', name: 'Ada O.', handle: 'ada-o', canFollow: true }
const FOLLOWED: Followed = { id: 'ada', name: 'Ada O.', handle: 'ada-o', since: '2026-11-20T10:00:00.000Z' }

function show(seller: typeof SELLER, userId: string, list?: Followed[]): string {
  const client = new QueryClient()
  client.setQueryData(keyOf(getCurrentUser, {}), { id: userId })
  if (list) client.setQueryData(keyOf(listFollowed, {}), list)
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(FollowButton, { seller })))
}

test('shows the button to a member, and its sentence', () => {
  expect(show(SELLER, 'mia', [])).toMatch(/aria-pressed="false"[^]*Follow<\/button>/)
  expect(show(SELLER, 'mia', [FOLLOWED])).toMatch(/aria-pressed="true"[^]*Following<\/button>/)
  expect(show(SELLER, 'mia', [])).toContain('We email and notify you when they publish something new.')
  // ignores presses until the list has loaded
  expect(show(SELLER, 'mia')).toContain('aria-disabled="true"')
})

test('hides the button from the seller of the page', () => {
  expect(show(SELLER, 'ada', [])).toBe('')
})

test('hides the button of a suspended seller from members who do not follow', () => {
  const suspended = { ...SELLER, canFollow: false }
  expect(show(suspended, 'mia', [])).toBe('')
  expect(show(suspended, 'mia', [FOLLOWED])).toContain('Following')
})
