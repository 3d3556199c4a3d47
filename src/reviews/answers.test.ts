import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { mailedText } from '../../test/mail.ts'
import { openShopForTests } from '../../test/shop.ts'
import { eraseDueAccounts } from '../account/data/erase.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { judgeAnswer, listCases, readCase, report } from '../moderation/moderation.contract.ts'
import { getOverview } from '../selling/overview/overview.contract.ts'
import { setAnswerHidden } from './answers.server.ts'
import { deleteAnswer, listOwnReviews, listReviews, saveAnswer, saveReview } from './reviews.contract.ts'

const open = openShopForTests()

async function reviewed() {
  const [seller, buyer] = [await open.shop.join({ firstName: 'Sally' }), await open.shop.join({ firstName: 'Bruno' })]
  const product = await addProduct(open.shop)
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(
    open.shop.database.db,
  )
  const order = await buy(open.shop, buyer, product)
  const lineId = order.lines[0]!.id
  const { review } = await buyer.call(saveReview, { lineId, stars: 2, text: 'Too short.' })
  return { seller, buyer, product, lineId, id: review!.id }
}

const shown = async ({ id }: { id: string }) => (await open.shop.call(listReviews, { id }))[0]?.answer?.text ?? null

test('a seller answers a review once, changes the answer and deletes it, in public', async () => {
  const { seller, product, id } = await reviewed()
  const waits = async () => (await seller.call(getOverview, {})).waiting.some(({ kind }) => kind === 'review')
  expect(await waits()).toBe(true)
  expect(await seller.call(saveAnswer, { id, text: 'A longer one comes.' })).toMatchObject({ editedAt: null })
  expect(await waits()).toBe(false)
  await vi.waitFor(async () => expect(await shown(product)).toBe('A longer one comes.'), 20_000)
  expect(await seller.call(saveAnswer, { id, text: 'A longer one comes.' })).toMatchObject({ editedAt: null })
  const edited = await seller.call(saveAnswer, { id, text: 'It is here.' })
  expect(edited).toMatchObject({ text: 'It is here.', editedAt: expect.any(String) as string })
  expect((await seller.call(listOwnReviews, { id: product.id }))[0]!.answer).toEqual(edited)
  await seller.call(deleteAnswer, { id })
  await vi.waitFor(async () => expect(await shown(product)).toBeNull(), 20_000)
  await expect(seller.call(deleteAnswer, { id })).rejects.toMatchObject({ status: 404 })
})

test('nobody else answers, and an answer has words', async () => {
  const { seller, buyer, id } = await reviewed()
  const staff = await open.shop.join({ isAdmin: true })
  for (const person of [buyer, staff, await open.shop.join()]) {
    await expect(person.call(saveAnswer, { id, text: 'No.' })).rejects.toMatchObject({ status: 404 })
    await expect(person.call(deleteAnswer, { id })).rejects.toMatchObject({ status: 404 })
  }
  for (const text of ['', '  ', 'x'.repeat(2001)])
    await expect(seller.call(saveAnswer, { id, text })).rejects.toMatchObject({ status: 400 })
  await seller.call(saveAnswer, { id, text: 'Thank you.' })
  await sql`UPDATE reviews SET hidden_at = now() WHERE id = ${id}::uuid`.execute(open.shop.database.db)
  await expect(seller.call(saveAnswer, { id, text: 'Again.' })).rejects.toMatchObject({ status: 404 })
})

test('staff hide an answer, its seller reads why and cannot write it anew until it is shown again', async () => {
  const { seller, buyer, product, id } = await reviewed()
  await seller.call(saveAnswer, { id, text: 'You fool.' })
  const [staff, other] = [await open.shop.join({ isAdmin: true }), await open.shop.join()]
  await other.call(report, { id: product.id, reviewId: id, reason: 'insult', note: 'The answer.' })
  const found = (await staff.call(listCases, { state: 'waiting' })).find(({ productId }) => productId === product.id)!
  const file = async () => (await staff.call(readCase, { id: found.id })).review!.answer
  expect(await file()).toEqual({ text: 'You fool.', why: null })
  await expect(
    buyer.call(judgeAnswer, { id: found.id, text: 'You fool.', isHidden: true, message: 'No.' }),
  ).rejects.toMatchObject({
    status: 403,
  })
  await staff.call(judgeAnswer, { id: found.id, text: 'You fool.', isHidden: true, message: 'Be kind.' })
  await vi.waitFor(async () => expect(await shown(product)).toBeNull(), 20_000)
  expect(await file()).toEqual({ text: 'You fool.', why: 'Be kind.' })
  expect(await mailedText(open.shop, seller.email)).toContain('Reason: Be kind.')
  const received = async () => (await seller.call(listOwnReviews, { id: product.id }))[0]!
  expect(await received()).toMatchObject({ answer: null, hiddenAnswer: { text: 'You fool.', why: 'Be kind.' } })
  const message = expect.stringContaining('We have hidden your answer: Be kind.') as string
  const hidden = { status: 409, code: 'answer_hidden', message }
  await expect(seller.call(saveAnswer, { id, text: 'Sorry.' })).rejects.toMatchObject(hidden)
  await expect(seller.call(deleteAnswer, { id })).rejects.toMatchObject(hidden)
  const again = { id: found.id, text: 'You fool.', isHidden: true, message: 'Be kind.' }
  await expect(staff.call(judgeAnswer, again)).rejects.toMatchObject({ status: 409 })
  await staff.call(judgeAnswer, { ...again, isHidden: false })
  await vi.waitFor(async () => expect(await shown(product)).toBe('You fool.'), 20_000)
  expect(await received()).toMatchObject({ answer: { text: 'You fool.' }, hiddenAnswer: null })
  await seller.call(saveAnswer, { id, text: 'Sorry.' })
})

test('staff hide only the text that they read, and a hidden answer cannot be changed by a save under way', async () => {
  const { seller, product, id } = await reviewed()
  const { db } = open.shop.database
  await seller.call(saveAnswer, { id, text: 'You fool.' })
  const [staff, other] = [await open.shop.join({ isAdmin: true }), await open.shop.join()]
  await other.call(report, { id: product.id, reviewId: id, reason: 'insult', note: 'The answer.' })
  const found = (await staff.call(listCases, { state: 'waiting' })).find(({ productId }) => productId === product.id)!
  const act = { id: found.id, isHidden: true, message: 'Be kind.' }
  await expect(staff.call(judgeAnswer, { ...act, text: 'Thank you.' })).rejects.toMatchObject({
    code: 'answer_changed',
  })

  const changes: (() => Promise<unknown>)[] = [
    () => seller.call(saveAnswer, { id, text: 'Unseen.' }),
    () => seller.call(deleteAnswer, { id }),
  ]
  for (const change of changes) {
    const changing = await inTransaction(db, async (tx) => {
      await setAnswerHidden(tx, { id, text: 'You fool.' }, 'Be kind.')
      const call = change().catch((error: unknown) => error)
      const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`
      await expect.poll(async () => (await waiting.execute(tx)).rows.length).toBe(1)
      return { call }
    })
    expect(await changing.call).toMatchObject({ status: 409, code: 'answer_hidden' })
    await staff.call(judgeAnswer, { ...act, text: 'You fool.', isHidden: false })
  }
})

test('deletes the answers of an erased seller and no others', async () => {
  const [gone, other] = [await reviewed(), await reviewed()]
  const { db } = open.shop.database
  for (const { seller, id } of [gone, other]) await seller.call(saveAnswer, { id, text: 'Thank you.' })
  await sql`UPDATE earnings SET available_at = now() WHERE seller_id = ${gone.seller.id}::uuid`.execute(db)
  await sql`UPDATE users SET erase_at = now() WHERE id = ${gone.seller.id}::uuid`.execute(db)
  await eraseDueAccounts(db)
  const ids = [gone.id, other.id]
  const answers = await db.selectFrom('reviewAnswers').select('reviewId').where('reviewId', 'in', ids).execute()
  expect(answers).toEqual([{ reviewId: other.id }])
})
