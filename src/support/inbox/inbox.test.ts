import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import type { Reply } from '../../kit/contract.ts'
import { askForPerson, getChat, sendTyping, sendChat } from '../chat/chat.contract.ts'
import { sendHere } from '../presence/presence.contract.ts'
import {
  aboutCustomer,
  answerCustomer,
  getThread,
  listConversations,
  MANY_CONVERSATIONS,
  markRead,
  sendTypingTo,
  settleConversation,
} from './inbox.contract.ts'

const open = openShopForTests({ SUPPORT_ANSWERS_WITHIN_HOURS: '2', ASSISTANT: 'off' })
const joinStaff = () => open.shop.join({ isAdmin: true, firstName: 'Lena' })

test('delivers an answer with the name of its agent', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  await ada.call(sendChat, { message: 'Lorem ipsum' })
  await staff.call(answerCustomer, { userId: ada.id, message: 'Dolor sit amet' })
  const [, answer] = await ada.call(getChat, {})
  expect(answer).toMatchObject({ message: 'Dolor sit amet', isFromUser: false, isFromAdmin: true, staffName: 'Lena' })
})

test('rejects members who read, answer or resolve conversations', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const { id: messageId } = await ada.call(sendChat, { message: 'Lorem ipsum' })
  const userId = ada.id
  for (const member of [ada, bob]) {
    await expect(member.call(listConversations, {})).rejects.toMatchObject({ status: 403 })
    await expect(member.call(getThread, { userId })).rejects.toMatchObject({ status: 403 })
    await expect(member.call(aboutCustomer, { userId })).rejects.toMatchObject({ status: 403 })
    await expect(member.call(answerCustomer, { userId, message: 'x' })).rejects.toMatchObject({ status: 403 })
    await expect(member.call(markRead, { userId, messageId })).rejects.toMatchObject({ status: 403 })
    await expect(member.call(settleConversation, { userId, messageId })).rejects.toMatchObject({ status: 403 })
  }
})

test('rejects inbox calls about members who never wrote', async () => {
  const [silent, ada, staff] = [await open.shop.join(), await open.shop.join(), await joinStaff()]
  const { id: messageId } = await ada.call(sendChat, { message: 'Lorem ipsum' })
  const userId = silent.id
  const { conversations: list } = await staff.call(listConversations, {})
  expect(list.some((one) => one.userId === userId)).toBe(false)
  await expect(staff.call(getThread, { userId })).rejects.toMatchObject({ status: 404 })
  await expect(staff.call(aboutCustomer, { userId })).rejects.toMatchObject({ status: 404 })
  await expect(staff.call(answerCustomer, { userId, message: 'x' })).rejects.toMatchObject({ status: 404 })
  await expect(staff.call(markRead, { userId, messageId })).rejects.toMatchObject({ status: 404 })
  await expect(staff.call(settleConversation, { userId, messageId })).rejects.toMatchObject({ status: 404 })
  await expect(staff.call(getThread, { userId: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
})

test('sorts first customers who asked for a person, then by waiting time and last message', async () => {
  const staff = await joinStaff()
  const people: Person[] = []
  for (let i = 0; i < 5; i++) people.push(await open.shop.join())
  const [settled, read, unread, answered, asks] = people as [Person, Person, Person, Person, Person]
  const ids = new Map<string, string>()
  for (const { id, call } of people) ids.set(id, (await call(sendChat, { message: 'Lorem ipsum' })).id)
  await staff.call(markRead, { userId: read.id, messageId: ids.get(read.id)! })
  await asks.call(askForPerson, { isWanted: true })
  await staff.call(settleConversation, { userId: settled.id, messageId: ids.get(settled.id)! })
  await staff.call(markRead, { userId: answered.id, messageId: ids.get(answered.id)! })
  await staff.call(answerCustomer, { userId: answered.id, message: 'Amet' })

  const { conversations: list } = await staff.call(listConversations, {})
  const ours = list.filter(({ userId }) => ids.has(userId))
  expect(ours.map(({ userId }) => userId)).toEqual([asks, read, unread, answered, settled].map(({ id }) => id))
  expect(ours).toMatchObject([
    { unread: 1, isForPerson: true },
    { unread: 0, lastMessage: 'Lorem ipsum', lastIsFromUser: true },
    { unread: 1 },
    { unread: 0, waitingSince: null, lastMessage: 'Amet', lastIsFromUser: false },
    { unread: 1, waitingSince: null },
  ])
  expect(ours[1]!.waitingSince).not.toBeNull()
})

test('pages through conversations without repeats and counts all waiting ones', async () => {
  const staff = await joinStaff()
  const { db } = open.shop.database
  const many = MANY_CONVERSATIONS + 5
  await sql`WITH people AS (
      INSERT INTO users (email, created_at) SELECT 'crowd' || n || '@test.example', now()
      FROM generate_series(1, ${many}::int) n RETURNING id),
    said AS (
      INSERT INTO chat_conversations (user_id, last_at, waiting_since)
      SELECT id, now() - interval '1 day', now() - interval '1 day' FROM people RETURNING user_id),
    -- more than a page of others, all of one time
    more AS (
      INSERT INTO users (email, created_at) SELECT 'crowd0' || n || '@test.example', now()
      FROM generate_series(1, ${many}::int) n RETURNING id),
    answered AS (
      INSERT INTO chat_conversations (user_id, last_at) SELECT id, now() - interval '1 day' FROM more)
    SELECT * FROM said`.execute(db)
  await sql`INSERT INTO chat_messages (user_id, author, message)
    SELECT id, 'user', 'Hello' FROM users WHERE email LIKE 'crowd%'`.execute(db)

  const seen: string[] = []
  let after: string | null = null
  do {
    const page: Reply<typeof listConversations> = await staff.call(listConversations, after ? { after } : {})
    expect(page.conversations.length).toBeLessThanOrEqual(MANY_CONVERSATIONS)
    expect(page.waiting).toBeGreaterThanOrEqual(many)
    expect(Date.parse(page.waitingSince!)).toBeLessThan(Date.now() - 23 * 3600_000)
    seen.push(...page.conversations.map(({ userId }) => userId))
    ;({ after } = page)
  } while (after)
  const { count } = await db
    .selectFrom('chatConversations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(new Set(seen).size).toBe(Number(count))
  expect(seen).toHaveLength(Number(count))
  await db
    .deleteFrom('chatConversations')
    .where('lastAt', '<', sql<Date>`now() - interval '12 hours'`)
    .execute()
})

test("shows the customer's purchases to staff", async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  await ada.call(sendChat, { message: 'Lorem ipsum' })
  const about = () => staff.call(aboutCustomer, { userId: ada.id })
  expect(await about()).toEqual({ orders: 0, spent: '0.00', credit: '0.00', risk: null, latest: [] })
  for (const [status, cents, day] of [
    ['completed', 1250, 1],
    ['failed', 400, 2],
  ] as const)
    await sql`INSERT INTO orders (user_id, checkout_key, request_hash, status, source, total_cents, created_at, expires_at, completed_at)
      VALUES (${ada.id}, ${status}, '', ${status}, 'cart', ${cents}, now() + ${day} * interval '1 day', now(),
        ${status === 'completed' ? new Date() : null})`.execute(open.shop.database.db)
  expect(await about()).toMatchObject({
    ...{ orders: 1, spent: '12.50' },
    latest: [
      { status: 'failed', total: '4.00' },
      { status: 'completed', total: '12.50' },
    ],
  })
})

test('marks only messages up to the read one as read', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const { id: one } = await ada.call(sendChat, { message: 'one' })
  const { id: two } = await ada.call(sendChat, { message: 'two' })
  expect(await staff.call(markRead, { userId: ada.id, messageId: one })).toEqual({ unread: 1 })
  expect(await staff.call(markRead, { userId: ada.id, messageId: two })).toEqual({ unread: 0 })
  expect(await staff.call(markRead, { userId: ada.id, messageId: one })).toEqual({ unread: 0 })
})

test('measures the wait from the first unanswered message to the answer or resolution', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const userId = ada.id
  const waiting = async () => (await staff.call(getThread, { userId })).waitingSince
  const { id: one } = await ada.call(sendChat, { message: 'one' })
  const since = await waiting()
  const { id: two } = await ada.call(sendChat, { message: 'two' })
  expect(await waiting()).toBe(since)
  // The second message arrived before the first was resolved.
  expect((await staff.call(settleConversation, { userId, messageId: one })).waitingSince).not.toBeNull()
  expect((await staff.call(settleConversation, { userId, messageId: two })).waitingSince).toBeNull()
  await ada.call(sendChat, { message: 'three' })
  expect(await waiting()).not.toBeNull()
  await staff.call(answerCustomer, { userId, message: 'four' })
  expect(await waiting()).toBeNull()
})

test('marks a conversation late after the promised time', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  await ada.call(sendChat, { message: 'Lorem ipsum' })
  const isLate = async () => {
    const { conversations } = await staff.call(listConversations, {})
    return conversations.find(({ userId }) => userId === ada.id)?.isLate
  }
  expect(await isLate()).toBe(false)
  await open.shop.database.db
    .updateTable('chatConversations')
    .set({ waitingSince: new Date(Date.now() - 2.1 * 3600_000) })
    .where('userId', '=', ada.id)
    .execute()
  expect(await isLate()).toBe(true)
})

test('stores an answer once if it is sent twice with one key', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  await ada.call(sendChat, { message: 'Lorem ipsum' })
  const key = { headers: { 'idempotency-key': 'once' } }
  await staff.call(answerCustomer, { userId: ada.id, message: 'Dolor' }, key)
  await staff.call(answerCustomer, { userId: ada.id, message: 'Dolor' }, key)
  expect(await ada.call(getChat, {})).toHaveLength(2)
})

test('mails an absent customer once for each answered question', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const { db } = open.shop.database
  const mails = () => db.selectFrom('mails').selectAll().where('recipient', '=', ada.email).execute()
  const answer = (message: string) => staff.call(answerCustomer, { userId: ada.id, message })
  await ada.call(sendChat, { message: 'Lorem ipsum' })
  await answer('At once')
  expect(await mails()).toEqual([])

  await db
    .updateTable('chatMessages')
    .set({ createdAt: new Date(Date.now() - 3 * 60_000) })
    .where('userId', '=', ada.id)
    .execute()
  await answer('Later <b>on</b>')
  await answer('And one thing more')
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ subject: 'Primo has answered your message' })
  expect(mail!.bodyText).toContain('Later <b>on</b>')
  expect(mail!.bodyText).toContain('/#chat')
  expect(mail!.bodyHtml).not.toContain('<b>on</b>')
})

async function listen({ cookie }: Person) {
  const leaving = new AbortController()
  const { body } = await fetch(`${open.shop.url}/api/events`, { headers: { cookie }, signal: leaving.signal })
  const heard: string[] = []
  void (async () => {
    for await (const part of body!.pipeThrough(new TextDecoderStream()))
      heard.push(...[...part.matchAll(/^data: (.+)$/gm)].map(([, event]) => event!))
  })().catch(() => undefined)
  return { heard, leave: () => leaving.abort() }
}

test('shows typing to the other side, to customers only while a person answers them', async () => {
  const [ada, bob, lena, tom] = [await open.shop.join(), await open.shop.join(), await joinStaff(), await joinStaff()]
  await expect(lena.call(sendTypingTo, { userId: ada.id })).rejects.toMatchObject({ status: 404 })
  for (const one of [ada, bob]) await one.call(sendChat, { message: 'Lorem' })
  const [toAda, toBob, toTom] = [await listen(ada), await listen(bob), await listen(tom)]
  const typingIn = ({ heard }: typeof toAda) => heard.filter((topic) => topic.startsWith('typing'))
  await ada.call(sendTyping, {})
  await lena.call(sendTypingTo, { userId: ada.id })
  await expect.poll(() => typingIn(toAda)).toEqual(['typing'])
  // Before the first answer, a colleague sees that Lena is typing to this customer.
  const byLena = `typing:${ada.id}:${lena.id}:Lena`
  await expect.poll(() => typingIn(toTom)).toEqual([byLena])
  await ada.call(askForPerson, { isWanted: true })
  await ada.call(sendTyping, {})
  await expect.poll(() => typingIn(toTom)).toEqual([byLena, `typing:${ada.id}`])
  expect([typingIn(toAda), typingIn(toBob)]).toEqual([['typing'], []])
  for (const { leave } of [toAda, toBob, toTom]) leave()
})

test('shows staff, not members, which colleagues have a conversation open', async () => {
  const [ada, lena, tom] = [await open.shop.join(), await joinStaff(), await joinStaff()]
  await expect(lena.call(sendHere, { userId: ada.id })).rejects.toMatchObject({ status: 404 })
  await ada.call(sendChat, { message: 'Lorem' })
  await expect(ada.call(sendHere, { userId: ada.id })).rejects.toMatchObject({ status: 403 })
  const [toAda, toTom] = [await listen(ada), await listen(tom)]
  await lena.call(sendHere, { userId: ada.id })
  await expect.poll(() => toTom.heard).toContain(`here:${ada.id}:${lena.id}:Lena`)
  expect(toAda.heard.filter((topic) => topic.startsWith('here'))).toEqual([])
  for (const { leave } of [toAda, toTom]) leave()
})
