import { expect, test } from 'vitest'
import { openShopForTests } from '../../test/shop.ts'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'

const open = openShopForTests({ RATE_LIMIT_SCALE: '1' })

test('after twenty messages in a minute a member has to wait, and is told how long; others write on', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  for (let i = 0; i < 20; i++) await ada.call(sendChat, { message: `Lorem ${i}` })
  const refusal = ada.call(sendChat, { message: 'One more' })
  await expect(refusal).rejects.toMatchObject({ status: 429, retryAfter: expect.any(Number) as number })
  expect(await ada.call(getChat, {})).toHaveLength(20)
  await bob.call(sendChat, { message: 'Lorem' })
})

test('an open chat may ask what is new every few seconds, from one address no more than is sensible', async () => {
  for (let i = 0; i < 120; i++) await open.shop.call(getChatStatus, {})
  await expect(open.shop.call(getChatStatus, {})).rejects.toMatchObject({ status: 429 })
})
