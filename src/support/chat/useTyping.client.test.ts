import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../../test/page.ts'

vi.mock('../../identity/sessions/useSession.ts', () => ({ useSession: () => ({ user: { id: 'sam' } }) }))

let page: Awaited<ReturnType<typeof openPage>>
beforeEach(async () => {
  page = await openPage()
})
afterEach(() => page.close())

test('shows a typing colleague from the opening of the conversation until the next answer', async () => {
  const { handleTyping, useTypingColleagues } = await import('./useTyping.ts')
  function Colleagues({ newestAnswerId }: { newestAnswerId: string }) {
    return createElement('p', null, useTypingColleagues('ada', newestAnswerId))
  }
  const draw = async (newestAnswerId: string) => {
    page.draw(Colleagues, { newestAnswerId })
    await page.rest()
    return page.text()
  }
  handleTyping('ada:lena:Lena')
  handleTyping('ada:sam:Sam')
  handleTyping('bea:lena:Lena')
  expect(await draw('first')).toBe('Lena')
  expect(await draw('first')).toBe('Lena')
  expect(await draw('second')).toBe('')
})
