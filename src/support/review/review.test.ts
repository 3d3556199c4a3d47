import { expect, test } from 'vitest'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { getChat, rateAnswer, sendChat } from '../../support/chat/chat.contract.ts'
import { listAnswers, listLessons, markReviewed, teach, unteach } from './review.contract.ts'

const open = openShopForTests()

async function ask(person: Person, message: string) {
  const before = (await person.call(getChat, {})).length
  await person.call(sendChat, { message })
  await expect.poll(async () => (await person.call(getChat, {})).length).toBe(before + 2)
  return (await person.call(getChat, {})).at(-1)!
}

test('shows staff why the assistant answered, and which answers need a review', async () => {
  const [ada, lena] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const good = await ask(ada, 'How do I get a refund?')
  await ask(ada, 'xyzzy plugh quux')
  const own = async (all = false) => {
    const answers = await lena.call(listAnswers, all ? { userId: ada.id } : {})
    return answers.filter(({ userId }) => userId === ada.id)
  }
  const [unsure, ...more] = await own()
  expect([unsure, more]).toMatchObject([{ question: 'xyzzy plugh quux', intent: 'unsure' }, []])
  expect((await own(true)).find(({ question }) => question.includes('refund'))).toMatchObject({
    ...{ intent: 'help:refunds', tools: ['help'], sources: ['/help/refunds'], model: null, cost: '0.000000' },
    ...{ confidence: expect.any(Number) as number, tookMs: expect.any(Number) as number },
  })
  await ada.call(rateAnswer, { messageId: good.id, rating: -1, reason: 'Not what I asked' })
  expect(await own()).toMatchObject([{ rating: null }, { rating: -1, reason: 'Not what I asked' }])
  await lena.call(markReviewed, { questionId: unsure!.questionId })
  expect(await own()).toMatchObject([{ rating: -1 }])
  for (const call of [() => ada.call(listAnswers, {}), () => ada.call(teach, { question: 'abc', answer: 'x' })])
    await expect(call()).rejects.toMatchObject({ status: 403 })
})

test('uses an answer of staff immediately, and stops after its deletion', async () => {
  const [ada, lena] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const question = 'are zorbulent frobnicators waterproof'
  expect(await ask(ada, question)).toMatchObject({ isUnsure: true })
  await lena.call(teach, { question, answer: 'We sell digital goods only.' })
  expect(await ask(ada, 'Are zorbulent frobnicators waterproof?')).toMatchObject({
    isUnsure: false,
    message: 'We sell digital goods only.',
  })
  const [lesson] = await lena.call(teach, { question, slug: 'finding' })
  expect(await ask(ada, question)).toMatchObject({ articles: [{ slug: 'finding' }] })
  await expect(lena.call(teach, { question, slug: 'no-such-article' })).rejects.toMatchObject({ status: 400 })
  await expect(lena.call(teach, { question })).rejects.toMatchObject({ status: 400 })
  const named = { question: 'where is order 1a2b3c4d', slug: 'orders' }
  await expect(lena.call(teach, named)).rejects.toMatchObject({ status: 400, code: 'personal' })
  await lena.call(unteach, { id: lesson!.id })
  expect(await lena.call(listLessons, {})).toEqual([])
  expect(await ask(ada, question)).toMatchObject({ isUnsure: true })
})

test("deletes a lesson in a customer's words with their account, but not one in words of staff", async () => {
  const [ada, lena] = [await open.shop.join({ firstName: 'Ada' }), await open.shop.join({ isAdmin: true })]
  const { db, pool } = open.shop.database
  await ask(ada, 'Ada here, are zorbulent frobnicators dishproof')
  const [{ questionId, lesson } = { questionId: '', lesson: '' }] = await lena.call(listAnswers, { userId: ada.id })
  expect(lesson).toBe('here, are zorbulent frobnicators dishproof')
  const given = { questionId, answer: 'We sell digital goods only.' }
  await expect(lena.call(teach, { ...given, question: `Ada ${lesson}` })).rejects.toMatchObject({ code: 'personal' })
  await lena.call(teach, { ...given, question: lesson })
  await lena.call(teach, { ...given, question: 'May frobnicators go in a dishwasher?' })
  const taught = async () => (await lena.call(listLessons, {})).map(({ question }) => question)
  expect(await taught()).toEqual(['May frobnicators go in a dishwasher?', lesson])
  await pool.query(`UPDATE users SET erase_at = now() WHERE id = $1`, [ada.id])
  await eraseDueAccounts(db)
  expect(await taught()).toEqual(['May frobnicators go in a dishwasher?'])
  const { rows } = await pool.query<{ at: string }>(
    `SELECT details::text AS at FROM audit WHERE act = 'support.taught'`,
  )
  expect(rows.map(({ at }) => at).join()).not.toMatch(/frobnicator/)
  expect((await pool.query(`SELECT FROM chat_messages WHERE user_id = $1`, [ada.id])).rowCount).toBe(0)
  await expect(lena.call(teach, { ...given, question: 'any words' })).rejects.toMatchObject({ status: 404 })
})
