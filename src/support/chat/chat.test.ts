import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'
import { MAX_MESSAGE_LENGTH } from './chat.rules.ts'
import { answerCustomer, listConversations } from '../inbox/inbox.contract.ts'

const open = openShopForTests({ SUPPORT_ANSWERS_WITHIN_HOURS: '4', ASSISTANT: 'off' })
const unasked = 'Lorem ipsum dolor'

test('stores a message unchanged and shows it only to its writer', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const text = 'Lorem <b>ipsum</b>\n“dolor” 🎟️ &amp;'
  const sent = await ada.call(sendChat, { message: `  ${text} ` })
  expect(sent).toMatchObject({ message: text, isFromUser: true, isFromAdmin: false })
  expect(await ada.call(getChat, {})).toEqual([sent])
  expect(await bob.call(getChat, {})).toEqual([])
})

test('lists messages in the order in which they were sent', async () => {
  const ada = await open.shop.join()
  for (const message of ['Lorem', 'ipsum', 'dolor']) await ada.call(sendChat, { message })
  expect((await ada.call(getChat, {})).map(({ message }) => message)).toEqual(['Lorem', 'ipsum', 'dolor'])
})

test('marks a reply of staff as unread until the customer reads the chat', async () => {
  const [ada, admin] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const hasReply = async () => (await ada.call(getChatStatus, {})).hasReply
  await ada.call(sendChat, { message: unasked })
  expect(await hasReply()).toBe(false)
  await admin.call(answerCustomer, { userId: ada.id, message: 'Dolor sit amet' })
  expect(await hasReply()).toBe(true)
  await ada.call(getChat, {})
  expect(await hasReply()).toBe(false)
})

test.each([
  ['an empty text', ''],
  ['only spaces', ' \n\t\u00a0 '],
  ['one character too many', 'x'.repeat(MAX_MESSAGE_LENGTH + 1)],
])('rejects %s with a message and stores nothing', async (_, message) => {
  const ada = await open.shop.join()
  await expect(ada.call(sendChat, { message })).rejects.toMatchObject({ status: 400 })
  expect(await ada.call(getChat, {})).toEqual([])
})

test('accepts a message of maximum length in any script', async () => {
  const ada = await open.shop.join()
  for (const letter of ['x', 'ß', '漢']) await ada.call(sendChat, { message: letter.repeat(MAX_MESSAGE_LENGTH) })
  await ada.call(sendChat, { message: '🎟'.repeat(MAX_MESSAGE_LENGTH / 2) })
  expect(await ada.call(getChat, {})).toHaveLength(4)
})

test('rejects an unknown field of a message', async () => {
  const { cookie } = await open.shop.join()
  const response = await fetch(`${open.shop.url}/api/chat`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'hi', isFromAdmin: true }),
  })
  expect(response.status).toBe(400)
})

test('stores a message once if it is sent five times with one key', async () => {
  const ada = await open.shop.join()
  const key = { headers: { 'idempotency-key': 'once' } }
  const all = await Promise.all(Array.from({ length: 5 }, () => ada.call(sendChat, { message: 'Refund please' }, key)))
  expect(new Set(all.map(({ id }) => id)).size).toBe(1)
  const mine = (await ada.call(getChat, {})).filter(({ isFromUser }) => isFromUser)
  expect(mine).toHaveLength(1)
  await expect(ada.call(sendChat, { message: 'Another' }, key)).rejects.toMatchObject({ status: 422 })
  await expect(
    ada.call(sendChat, { message: 'x' }, { headers: { 'idempotency-key': 'k'.repeat(256) } }),
  ).rejects.toMatchObject({ status: 400 })
})

test('accepts the same idempotency key from two customers', async () => {
  const key = { headers: { 'idempotency-key': 'the same' } }
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const [one, two] = [
    await ada.call(sendChat, { message: unasked }, key),
    await bob.call(sendChat, { message: unasked }, key),
  ]
  expect(one.id).not.toBe(two.id)
})

test('shows Online only while staff view the inbox or have just answered', async () => {
  const { db } = open.shop.database
  const forget = async () => {
    await db.deleteFrom('chatPresence').execute()
    await db.deleteFrom('chatMessages').where('author', '=', 'admin').execute()
  }
  const isOnline = async () => (await open.shop.call(getChatStatus, {})).isOnline
  await forget()
  const [ada, staff] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  await ada.call(sendChat, { message: unasked })
  expect(await open.shop.call(getChatStatus, {})).toEqual({
    ...{
      isOnline: false,
      hasAssistant: false,
      text: 'A person answers within 4 hours',
      newestId: null,
      hasReply: false,
    },
    ...{
      answering: null,
      isWithPerson: false,
      isPersonHere: false,
      personText: 'A person answers within 4 hours',
      asksScore: false,
    },
  })

  await staff.call(listConversations, {})
  expect(await isOnline()).toBe(true)
  await db
    .updateTable('chatPresence')
    .set({ seenAt: minutesAgo(2) })
    .execute()
  expect(await isOnline()).toBe(false)

  await staff.call(answerCustomer, { userId: ada.id, message: 'Here I am.' })
  expect(await isOnline()).toBe(true)
  await db
    .updateTable('chatMessages')
    .set({ createdAt: minutesAgo(6) })
    .where('author', '=', 'admin')
    .execute()
  expect(await isOnline()).toBe(false)
})

test('returns the newest message of the customer in the status', async () => {
  const ada = await open.shop.join()
  expect((await ada.call(getChatStatus, {})).newestId).toBeNull()
  const { id } = await ada.call(sendChat, { message: unasked })
  expect((await ada.call(getChatStatus, {})).newestId).toBe(id)
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
