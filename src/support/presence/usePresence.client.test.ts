import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../../test/page.ts'

vi.mock('../../identity/sessions/useSession.ts', () => ({ useSession: () => ({ user: { id: 'sam' } }) }))

let page: Awaited<ReturnType<typeof openPage>>
beforeEach(async () => {
  page = await openPage()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  return page.close()
})

async function drawColleagues() {
  const { handleHere, useColleaguesHere } = await import('./usePresence.ts')
  const { handleTyping } = await import('../chat/useTyping.ts')
  const Colleagues = () => createElement('p', null, useColleaguesHere('ada').join())
  const shown = async () => {
    page.draw(Colleagues, {})
    await page.rest()
    return page.text()
  }
  return { handleHere, handleTyping, shown }
}

test('shows a colleague of this conversation until the notices stop for eight seconds', async () => {
  const { handleHere, shown } = await drawColleagues()
  for (const key of ['ada:lena:Lena', 'ada:sam:Sam', 'bea:tom:Tom']) handleHere(key)
  expect(await shown()).toBe('Lena')
  vi.advanceTimersByTime(6_000)
  handleHere('ada:lena:Lena')
  vi.advanceTimersByTime(7_000)
  expect(await shown()).toBe('Lena')
  vi.advanceTimersByTime(1_000)
  expect(await shown()).toBe('')
})

test('leaves a colleague out who types, because another line names them', async () => {
  const { handleHere, handleTyping, shown } = await drawColleagues()
  for (const key of ['ada:lena:Lena', 'ada:tom:Tom']) handleHere(key)
  handleTyping('ada:tom:Tom')
  expect(await shown()).toBe('Lena')
})
