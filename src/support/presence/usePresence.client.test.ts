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

test('omits a colleague who types, because another line shows that colleague', async () => {
  const { handleHere, handleTyping, shown } = await drawColleagues()
  for (const key of ['ada:lena:Lena', 'ada:tom:Tom']) handleHere(key)
  handleTyping('ada:tom:Tom')
  expect(await shown()).toBe('Lena')
})

test('asks for no proof of identity when the staff session is closed, and retries at the next heartbeat', async () => {
  const refused = JSON.stringify({ message: 'Confirm that it is you.', code: 'step_up_required' })
  const fetch = vi.fn<() => Promise<Response>>(async () => new Response(refused, { status: 403 }))
  vi.stubGlobal('fetch', fetch)
  Object.assign(document, { hidden: false, addEventListener() {}, removeEventListener() {} })
  const { whenProofIsAsked } = await import('../../kit/call.client.ts')
  const { useSendHere } = await import('./usePresence.ts')
  const askProof = vi.fn<() => Promise<boolean>>(async () => false)
  whenProofIsAsked(askProof)
  const Here = () => {
    useSendHere('ada')
    return null
  }
  page.draw(Here, {})
  await page.rest()
  vi.advanceTimersByTime(3_000)
  await page.rest()
  expect([fetch.mock.calls.length, askProof.mock.calls.length]).toEqual([2, 0])
})
