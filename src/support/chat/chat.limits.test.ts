import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'

const open = openShopForTests({ RATE_LIMIT_SCALE: '1', ASSISTANT: 'off' })

test('limits a member to ten messages a minute without affecting others', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  // In parallel, because on a slow machine the limit could renew meanwhile.
  const sent = await Promise.allSettled(
    Array.from({ length: 30 }, (_, i) => ada.call(sendChat, { message: `Lorem ${i}` })),
  )
  const [refused] = sent.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { status: 429, retryAfter: expect.any(Number) as number } })
  const kept = (await ada.call(getChat, {})).filter(({ isFromUser }) => isFromUser)
  expect(kept).toHaveLength(sent.filter(({ status }) => status === 'fulfilled').length)
  expect([10, 11]).toContain(kept.length)
  await bob.call(sendChat, { message: 'Lorem' })
})

test('allows the polling of an open chat and limits one address', async () => {
  // In parallel, because on a slow machine the limit could renew meanwhile.
  const asked = await Promise.allSettled(Array.from({ length: 150 }, () => open.shop.call(getChatStatus, {})))
  const refused = asked.filter(({ status }) => status === 'rejected')
  expect(asked.length - refused.length).toBeGreaterThanOrEqual(120)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ reason: { status: 429 } })
})
