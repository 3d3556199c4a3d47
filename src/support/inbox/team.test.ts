import { expect, test } from 'vitest'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { getChat, getChatStatus, scoreConversation, sendChat } from '../chat/chat.contract.ts'
import { answerCustomer, getThread, listConversations, settleConversation } from './inbox.contract.ts'
import {
  addNote,
  assignConversation,
  deleteReply,
  listNotes,
  listReplies,
  mergeConversations,
  readResponses,
  saveReply,
  snoozeConversation,
  suggestReply,
  tagConversation,
} from './team.contract.ts'

const open = openShopForTests()
const joinStaff = (firstName: string) => open.shop.join({ isAdmin: true, firstName })
const unclear = 'xyzzy plugh quux'

async function askUnclear(person: Person) {
  const sent = await person.call(sendChat, { message: unclear })
  await expect.poll(async () => (await person.call(getChat, {})).length).toBe(2)
  return { ...sent, seenId: (await person.call(getChat, {})).at(-1)!.id }
}

test('two agents never answer the same message twice', async () => {
  const [ada, lena, tom] = [await open.shop.join(), await joinStaff('Lena'), await joinStaff('Tom')]
  const { seenId } = await askUnclear(ada)
  const answers = await Promise.allSettled(
    [lena, tom].map((one) => one.call(answerCustomer, { userId: ada.id, message: 'Hello', seenId })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, code: 'answered' },
  })
  expect((await ada.call(getChat, {})).filter(({ isFromAdmin }) => isFromAdmin)).toHaveLength(1)
  const winner = answers[0]!.status === 'fulfilled' ? lena : tom
  // The same agent can add another message.
  await winner.call(answerCustomer, { userId: ada.id, message: 'And more', seenId })
  expect(await winner.call(getThread, { userId: ada.id })).toMatchObject({ isMine: true })
})

test('sorts the queue by waiting time, with snoozed conversations last until the customer writes', async () => {
  const lena = await joinStaff('Lena')
  const people = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  for (const person of people) await askUnclear(person)
  const order = async () => {
    const { conversations } = await lena.call(listConversations, {})
    return conversations.map(({ userId }) => people.findIndex(({ id }) => id === userId)).filter((at) => at >= 0)
  }
  expect(await order()).toEqual([0, 1, 2])
  const { snoozedUntil } = await lena.call(snoozeConversation, { userId: people[0]!.id, hours: 4 })
  expect(Date.parse(snoozedUntil!)).toBeGreaterThan(Date.now() + 3.9 * 3600_000)
  expect(await order()).toEqual([1, 2, 0])
  await people[0]!.call(sendChat, { message: 'are you there?' })
  await expect.poll(order).toEqual([0, 1, 2])
})

test('only staff see the assignee, tags and notes of a conversation', async () => {
  const [ada, lena] = [await open.shop.join(), await joinStaff('Lena')]
  await askUnclear(ada)
  const userId = ada.id
  await lena.call(assignConversation, { userId, isMine: true })
  await lena.call(tagConversation, { userId, tags: ['Refund', 'refund', 'vip'] })
  expect(await lena.call(addNote, { userId, note: 'Ask for the order number' })).toMatchObject([
    { author: 'Lena Person' },
  ])
  expect(await lena.call(getThread, { userId })).toMatchObject({ isMine: true, tags: ['refund', 'vip'] })
  await lena.call(assignConversation, { userId, isMine: false })
  expect(await lena.call(getThread, { userId })).toMatchObject({ isMine: false, assignee: null })
  expect(JSON.stringify(await ada.call(getChat, {}))).not.toContain('Ask for the order')
  const silent = await open.shop.join()
  for (const member of [ada, silent]) {
    await expect(member.call(listNotes, { userId })).rejects.toMatchObject({ status: 403 })
    await expect(member.call(assignConversation, { userId, isMine: true })).rejects.toMatchObject({ status: 403 })
    await expect(member.call(mergeConversations, { userId, otherId: member.id })).rejects.toMatchObject({ status: 403 })
  }
  expect(await lena.call(addNote, { userId: silent.id, note: 'x' })).toMatchObject([{ note: 'x' }])
  await expect(lena.call(addNote, { userId: crypto.randomUUID(), note: 'x' })).rejects.toMatchObject({ status: 404 })
  const max = await joinStaff('Max')
  await max.call(addNote, { userId: lena.id, note: 'About a colleague' })
  const own = { status: 403, code: 'own_account' }
  await expect(lena.call(listNotes, { userId: lena.id })).rejects.toMatchObject(own)
  await expect(lena.call(addNote, { userId: lena.id, note: 'x' })).rejects.toMatchObject(own)
})

test('stores canned replies, one for each title', async () => {
  const lena = await joinStaff('Lena')
  await lena.call(saveReply, { title: 'Thanks', body: 'Thank you, {name}.' })
  const replies = await lena.call(saveReply, { title: 'Thanks', body: 'Thanks, {name}. {agent} of {store}' })
  const [own, ...more] = replies.filter(({ title }) => title === 'Thanks')
  expect([own!.body, more]).toEqual(['Thanks, {name}. {agent} of {store}', []])
  await lena.call(deleteReply, { id: own!.id })
  expect((await lena.call(listReplies, {})).filter(({ title }) => title === 'Thanks')).toEqual([])
})

test('suggests only answers that the assistant knows', async () => {
  const [ada, lena] = [await open.shop.join(), await joinStaff('Lena')]
  await askUnclear(ada)
  expect(await lena.call(suggestReply, { userId: ada.id })).toEqual({ suggestion: null })
  await ada.call(sendChat, { message: 'How do I get a refund?' })
  const { suggestion } = await lena.call(suggestReply, { userId: ada.id })
  expect(suggestion!.text).toContain('Ask for a refund')
  await ada.call(sendChat, { message: 'I hope to hear from you today' })
  expect(await lena.call(suggestReply, { userId: ada.id })).toEqual({ suggestion })
  await lena.call(answerCustomer, { userId: ada.id, message: 'I am looking at it.' })
  expect(await lena.call(suggestReply, { userId: ada.id })).toEqual({ suggestion: null })
})

test('merges the questions of another account of the same person without moving messages', async () => {
  const [ada, twin, lena] = [await open.shop.join(), await open.shop.join(), await joinStaff('Lena')]
  await askUnclear(twin)
  await askUnclear(ada)
  const since = (await lena.call(getThread, { userId: twin.id })).waitingSince
  await lena.call(mergeConversations, { userId: ada.id, otherId: twin.id })
  expect(await lena.call(getThread, { userId: twin.id })).toMatchObject({ waitingSince: null })
  expect(await lena.call(getThread, { userId: ada.id })).toMatchObject({ waitingSince: since })
  const [note] = await lena.call(listNotes, { userId: ada.id })
  expect(note!.note).toContain(unclear)
  expect(await ada.call(getChat, {})).toHaveLength(2)
  // The note quotes the other account, so it is deleted with that account.
  await lena.call(addNote, { userId: ada.id, note: 'Ask for the order number' })
  await open.shop.database.pool.query('SELECT erase_belongings($1::uuid)', [twin.id])
  expect((await lena.call(listNotes, { userId: ada.id })).map(({ note: text }) => text)).toEqual([
    'Ask for the order number',
  ])
  await expect(lena.call(mergeConversations, { userId: ada.id, otherId: ada.id })).rejects.toMatchObject({
    status: 400,
  })
})

const backdate = (table: 'chatMessages' | 'chatConversations', minutes: number, { id }: Person) => {
  const past = new Date(Date.now() - minutes * 60_000)
  const { db } = open.shop.database
  return table === 'chatMessages'
    ? db.updateTable(table).set({ createdAt: past }).where('userId', '=', id).execute()
    : db.updateTable(table).set({ waitingSince: past }).where('userId', '=', id).execute()
}

test('reports how long customers waited for staff and how well the assistant answered', async () => {
  const [ada, vera] = [await open.shop.join(), await joinStaff('Vera')]
  const userId = ada.id
  // Two months ago the assistant answered, and staff resolved the next question.
  const ask = async (message: string) => {
    const count = (await ada.call(getChat, {})).length
    const { id } = await ada.call(sendChat, { message })
    await expect.poll(async () => (await ada.call(getChat, {})).length).toBe(count + 2)
    return id
  }
  await ask('How do I get a refund?')
  await vera.call(settleConversation, { userId, messageId: await ask(unclear) })
  await backdate('chatMessages', 60 * 24 * 60, ada)
  await ask(unclear)
  await backdate('chatConversations', 30, ada)
  await vera.call(answerCustomer, { userId, message: 'Sorry for the wait' })
  // The first answer ended the wait, so this answer adds no wait.
  await vera.call(answerCustomer, { userId, message: 'And thank you' })
  const report = await vera.call(readResponses, { days: 7 })
  expect(report.agents.find(({ name }) => name === 'Vera')).toMatchObject({ answers: 1, medianMinutes: 30 })
  expect(report.assistant.unsure).toBeGreaterThan(0)
  expect(report.costs).toEqual({ chatDollars: '0.00', analyzeDollars: '0.00', explainDollars: '0.00' })
})

test('reports the rating of each resolved conversation with its agent, until the account is erased', async () => {
  const [ada, nora] = [await open.shop.join(), await joinStaff('Nora')]
  const userId = ada.id
  const settle = async (score?: number) => {
    const { id: messageId } = await ada.call(sendChat, { message: unclear })
    await nora.call(answerCustomer, { userId, message: 'Hello' })
    await nora.call(settleConversation, { userId, messageId })
    if (score) await ada.call(scoreConversation, { score })
    return messageId
  }
  const satisfaction = async () =>
    (await nora.call(readResponses, { days: 7 })).agents.find(({ name }) => name === 'Nora')?.satisfaction
  const first = await settle(5)
  // Not a new resolution, because the customer has not written since.
  await nora.call(settleConversation, { userId, messageId: first })
  expect(await ada.call(getChatStatus, {})).toMatchObject({ asksScore: false })
  await settle(2)
  await settle()
  expect(await ada.call(getChatStatus, {})).toMatchObject({ asksScore: true })
  expect(await satisfaction()).toBe(3.5)
  const { pool } = open.shop.database
  await pool.query('SELECT erase_belongings($1::uuid)', [userId])
  expect((await pool.query('SELECT FROM chat_settlements WHERE user_id = $1', [userId])).rowCount).toBe(0)
})
