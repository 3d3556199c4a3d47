import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { readMyData } from '../../account/data/export.rows.server.ts'
import { createProduct, getProduct, listProducts } from '../../catalogue/catalogue.contract.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { getOrder, type Order } from '../../purchases/orders.contract.ts'
import { changeKind, relistProduct } from '../../selling/selling.contract.ts'
import { upload } from '../../../test/served.ts'
import { listLibrary } from '../library/owned.contract.ts'
import { keepPlace, openFile } from '../reading/reading.contract.ts'
import { getCourse, getLesson, listLessons, listPreviews, setLessonDone } from './learning.contract.ts'
import {
  addLessonFile,
  addPart,
  getOutline,
  getPart,
  orderParts,
  removeLessonFile,
  removePart,
  restorePart,
  saveChapters,
  savePart,
  saveSeconds,
} from './outline.contract.ts'
import { getOwnCourse } from './own/ownCourse.contract.ts'
import { ownFilePath } from './own/ownCourse.rules.ts'

const open = openShopForTests()
const db = () => open.shop.database.db

type Course = { seller: Person; id: string; price: string; lessons: string[] }

const lessonIds = async (seller: Person, id: string) =>
  (await seller.call(getOutline, { id })).filter(({ isSection }) => !isSection).map((part) => part.id)

/** Creates a course for sale with a section and these lessons. */
async function teach(titles = ['Flour', 'Water', 'Salt']): Promise<Course> {
  const seller = await open.shop.join({ firstName: 'Sally' })
  const { id } = await seller.call(createProduct, {
    ...{ title: 'Bread at home', description: '', price: '10.00', categoryId: 'courses' },
  })
  await seller.call(addPart, { id, isSection: true, title: 'Basics' })
  for (const title of titles) await seller.call(addPart, { id, isSection: false, title })
  return { seller, id, price: '10.00', lessons: await lessonIds(seller, id) }
}

async function take(course: Course) {
  const buyer = await open.shop.join({ firstName: 'Bea' })
  const order = await buy(open.shop, buyer, course)
  return { buyer, order, id: order.lines[0]!.id }
}

const edit = async ({ seller, id }: Course, partId: string, change: object) => {
  const { title, text, opensOn, opensAfterDays, isPreview, version } = await seller.call(getPart, { id, partId })
  return seller.call(savePart, {
    ...{ id, partId, title, text, opensOn, opensAfterDays, isPreview, version },
    ...change,
  })
}
const attach = async ({ seller, id }: Course, partId: string, bytes: string, name: string) =>
  seller.call(addLessonFile, { id, partId, uploadURL: await upload(open.shop, seller, Buffer.from(bytes), name) })

const refund = async (order: Order) =>
  runRefund(open.shop.checkout, (await refundOrder(open.shop.checkout, order.id, 'asked for')).id)
/** Awaits all calls at once, so that no rejection is unhandled. */
async function expectRefused(attempts: Promise<unknown>[], reason: object) {
  const settled = await Promise.allSettled(attempts)
  expect(settled).toMatchObject(settled.map(() => ({ status: 'rejected', reason })))
}
const refused = (status: number, code?: string) => ({ status, ...(code && { code }) })

test('does not delete a bought lesson, but deletes an empty lesson and an unsold course', async () => {
  const course = await teach(['Flour', 'Later'])
  const [flour, later] = course.lessons
  await edit(course, flour!, { text: 'Weigh it.' })
  await course.seller.call(removePart, { id: course.id, partId: flour! })
  await course.seller.call(restorePart, { id: course.id, partId: flour! })
  const { order } = await take(course)
  await expect(course.seller.call(removePart, { id: course.id, partId: flour! })).rejects.toMatchObject(
    refused(409, 'sold'),
  )
  await course.seller.call(removePart, { id: course.id, partId: later! })
  await refund(order)
  await course.seller.call(removePart, { id: course.id, partId: flour! })
})

test('sells a course while it has a lesson, and its category proposes the kind', async () => {
  const seller = await open.shop.join({ firstName: 'Sally' })
  const { id, unlistedReason } = await seller.call(createProduct, {
    ...{ title: 'Empty course', description: '', price: '5.00', categoryId: 'courses' },
  })
  expect(unlistedReason).toContain('Add at least one lesson')
  await expect(open.shop.call(getProduct, { id })).rejects.toMatchObject(refused(404))
  await seller.call(addPart, { id, isSection: true, title: 'A section alone' })
  await expect(open.shop.call(getProduct, { id })).rejects.toMatchObject(refused(404))
  await seller.call(addPart, { id, isSection: false, title: 'One' })
  expect((await open.shop.call(getProduct, { id })).isActive).toBe(true)
  const [lesson] = await lessonIds(seller, id)
  await seller.call(removePart, { id, partId: lesson! })
  expect((await open.shop.call(listProducts, { q: 'Empty course' })).map((one) => one.id)).not.toContain(id)
  await expect(seller.call(relistProduct, { id: (await withdrawn(seller)).id })).rejects.toMatchObject(
    refused(409, 'goods_missing'),
  )
  await seller.call(restorePart, { id, partId: lesson! })
  expect((await open.shop.call(getProduct, { id })).isActive).toBe(true)
})

async function withdrawn(seller: Person) {
  const product = await seller.call(createProduct, {
    ...{ title: 'Draft', description: '', price: '5.00', categoryId: 'courses', isDraft: true },
  })
  return product
}

test('turns a file product into a course, and lists it when it has a lesson', async () => {
  const product = await addProduct(open.shop)
  const seller = await open.shop.join()
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  expect(await seller.call(changeKind, { id: product.id, delivery: 'course' })).toMatchObject({ status: 'incomplete' })
  await seller.call(addPart, { id: product.id, isSection: false, title: 'One' })
  const buyer = await open.shop.join()
  const order = await buy(open.shop, buyer, product)
  // the file stays with the seller
  expect(order.lines[0]!.delivery).toEqual({ kind: 'course', lessons: 1, done: 0 })
  expect(await buyer.call(listLibrary, {})).toMatchObject([{ kind: 'course', files: null }])
})

test('lets only the seller add, order, rename, delete and restore lessons', async () => {
  const course = await teach()
  const { seller, id, lessons } = course
  const titles = async () => (await seller.call(getOutline, { id })).map(({ title }) => title)
  await seller.call(addPart, { id, isSection: true, title: 'Oven', afterId: lessons[1]! })
  expect(await titles()).toEqual(['Basics', 'Flour', 'Water', 'Oven', 'Salt'])
  const ids = (await seller.call(getOutline, { id })).map((part) => part.id)
  await seller.call(orderParts, { id, ids: ids.toReversed() })
  expect(await titles()).toEqual(['Salt', 'Oven', 'Water', 'Flour', 'Basics'])
  await expect(seller.call(orderParts, { id, ids: ids.slice(1) })).rejects.toMatchObject(refused(409, 'changed'))
  await expect(seller.call(orderParts, { id, ids: ids.with(0, ids[1]!) })).rejects.toMatchObject(
    refused(409, 'changed'),
  )
  await edit(course, lessons[0]!, { title: 'White flour' })
  await expect(edit(course, lessons[0]!, { version: 1 })).rejects.toMatchObject(refused(409, 'changed'))
  await expect(edit(course, lessons[0]!, { opensOn: '2030-01-01', opensAfterDays: 2 })).rejects.toMatchObject(
    refused(400),
  )
  await seller.call(removePart, { id, partId: lessons[1]! })
  await seller.call(restorePart, { id, partId: lessons[1]! })
  expect(await titles()).toEqual(['Salt', 'Oven', 'Water', 'White flour', 'Basics'])
  const other = await open.shop.join()
  const part = { id, partId: lessons[0]! }
  await expectRefused(
    [
      other.call(getOutline, { id }),
      other.call(addPart, { id, isSection: false, title: 'x' }),
      other.call(orderParts, { id, ids }),
      other.call(getPart, part),
      other.call(savePart, {
        ...part,
        title: 'x',
        text: '',
        opensOn: null,
        opensAfterDays: null,
        isPreview: false,
        version: 2,
      }),
      other.call(removePart, part),
      other.call(restorePart, part),
    ],
    refused(404),
  )
  // a lesson of another course of the same seller
  const { id: elsewhere } = await seller.call(createProduct, {
    ...{ title: 'Another', description: '', price: '5.00', categoryId: 'courses' },
  })
  await expect(seller.call(removePart, { ...part, id: elsewhere })).rejects.toMatchObject(refused(404))
})

test('shows edits to buyers at once, and leaves no gap in the progress for a deleted lesson', async () => {
  const course = await teach()
  const { buyer, id } = await take(course)
  const [flour, water, salt] = course.lessons
  await buyer.call(getLesson, { id, lessonId: flour! })
  await buyer.call(setLessonDone, { id, lessonId: flour!, isDone: true })
  expect(await buyer.call(getCourse, { id })).toMatchObject({ resumeId: water, certificate: null })
  await buyer.call(getLesson, { id, lessonId: salt! })
  expect((await buyer.call(getCourse, { id })).resumeId).toBe(salt)
  expect((await buyer.call(listLessons, { id })).map((lesson) => lesson.id)).toEqual([flour, water, salt])
  expect((await buyer.call(getCourse, { id })).resumeId).toBe(salt)
  await edit(course, water!, { title: 'Cold water', text: 'From the **tap**.' })
  expect(await buyer.call(getLesson, { id, lessonId: water! })).toMatchObject({
    title: 'Cold water',
    text: 'From the **tap**.',
  })
  await course.seller.call(removePart, { id: course.id, partId: flour! })
  await expect(buyer.call(getLesson, { id, lessonId: flour! })).rejects.toMatchObject(refused(404))
  await buyer.call(setLessonDone, { id, lessonId: water!, isDone: true })
  const { certificate, parts } = await buyer.call(setLessonDone, { id, lessonId: salt!, isDone: true })
  expect(parts.map(({ isDone }) => isDone)).toEqual([false, true, true])
  expect(certificate).toMatchObject({ lessons: 2, name: 'Bea Person', title: 'Bread at home' })
  await course.seller.call(restorePart, { id: course.id, partId: flour! })
  expect((await buyer.call(getCourse, { id })).parts.map(({ isDone }) => isDone)).toEqual([false, true, true, true])
})

test('locks a lesson until its day, or for some days after the purchase', async () => {
  const course = await teach(['Now', 'A week later', 'On a day', 'A day ago'])
  const { buyer, id } = await take(course)
  const [now, week, day, past] = course.lessons
  await edit(course, week!, { opensAfterDays: 7 })
  await edit(course, day!, { opensOn: '2099-05-01' })
  await edit(course, past!, { opensOn: '2020-05-01' })
  await attach(course, week!, 'ID3 a recording', 'week.mp3')
  const [, , later, ,] = (await buyer.call(getCourse, { id })).parts
  expect(Date.parse(later!.opensAt!) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  expect((await buyer.call(getCourse, { id })).parts.map(({ opensAt }) => opensAt !== null)).toEqual([
    ...[false, false, true, true, false],
  ])
  expect((await buyer.call(getCourse, { id })).parts[3]!.opensAt).toBe('2099-05-01T00:00:00.000Z')
  const { files } = await course.seller.call(getPart, { id: course.id, partId: week! })
  await expectRefused(
    [
      buyer.call(getLesson, { id, lessonId: week! }),
      buyer.call(getLesson, { id, lessonId: day! }),
      buyer.call(setLessonDone, { id, lessonId: week!, isDone: true }),
      buyer.call(openFile, { id, fileId: files[0]!.id }),
    ],
    refused(409, 'locked'),
  )
  expect((await buyer.call(listLessons, { id })).map((lesson) => lesson.id)).toEqual([now, past])
  for (const lessonId of [now!, past!]) await buyer.call(setLessonDone, { id, lessonId, isDone: true })
  expect((await buyer.call(getCourse, { id })).certificate).toBeNull()
  await sql`UPDATE entitlements SET created_at = now() - interval '8 days' WHERE order_line_id = ${id}::uuid`.execute(
    db(),
  )
  expect((await buyer.call(getLesson, { id, lessonId: week! })).files).toMatchObject([{ fileName: 'week.mp3' }])
})

test('serves the files of a lesson in ranges to its buyer only, and stores the position', async () => {
  const course = await teach(['Listen'])
  const [lesson] = course.lessons
  const bytes = 'ID3 sounds of dough, a long recording'
  const { files } = await attach(course, lesson!, bytes, 'dough.mp3')
  const fileId = files[0]!.id
  await course.seller.call(saveChapters, { id: course.id, fileId, chapters: '0:00 First\n1:05 Second' })
  const { buyer, id } = await take(course)
  expect((await buyer.call(getCourse, { id })).parts[1]).toMatchObject({ look: 'audio' })
  const get = async (person: Person, url: string, headers = {}) =>
    fetch(open.shop.url + url, { headers: { cookie: person.cookie, ...headers } })
  const { url } = await buyer.call(openFile, { id, fileId })
  const part = await get(buyer, url, { range: 'bytes=4-9' })
  expect([part.status, await part.text()]).toEqual([206, 'sounds'])
  const other = await open.shop.join()
  expect((await get(other, url)).status).toBe(404)
  await expect(other.call(openFile, { id, fileId })).rejects.toMatchObject(refused(404))
  await expect(other.call(getCourse, { id })).rejects.toMatchObject(refused(404))
  await expect(other.call(getLesson, { id, lessonId: lesson! })).rejects.toMatchObject(refused(404))
  await expect(other.call(setLessonDone, { id, lessonId: lesson!, isDone: true })).rejects.toMatchObject(refused(404))
  // a buyer of another course
  const second = await take(await teach(['Other']))
  await expect(second.buyer.call(openFile, { id: second.id, fileId })).rejects.toMatchObject(refused(404))
  const place = { id, fileId, place: '12.5', share: 0.5 }
  await expect(other.call(keepPlace, { ...place, movedAt: new Date().toISOString() })).rejects.toMatchObject(
    refused(404),
  )
  const at = Date.now() - 60_000
  await buyer.call(keepPlace, { ...place, movedAt: new Date(at).toISOString() })
  const late = await buyer.call(keepPlace, {
    ...place,
    place: '3',
    share: 0.1,
    movedAt: new Date(at - 1000).toISOString(),
  })
  expect(late).toEqual({ place: '12.5', share: 0.5 })
  // a device with a wrong clock cannot block later positions
  await buyer.call(keepPlace, { ...place, place: '20', movedAt: '2999-01-01T00:00:00.000Z' })
  await buyer.call(keepPlace, { ...place, place: '21', movedAt: new Date(Date.now() + 1000).toISOString() })
  expect((await buyer.call(getLesson, { id, lessonId: lesson! })).files).toMatchObject([
    { fileName: 'dough.mp3', chapters: '0:00 First\n1:05 Second', place: '21', share: 0.5 },
  ])
  await course.seller.call(removeLessonFile, { id: course.id, partId: lesson!, fileId })
  await expect(buyer.call(openFile, { id, fileId })).rejects.toMatchObject(refused(404))
})

test('shows a seller the length of lessons: the reading time, and recordings that the browser measured', async () => {
  const course = await teach(['Read', 'Listen', 'Empty'])
  const { seller, id } = course
  const [read, listen] = course.lessons
  await edit(course, read!, { text: 'x'.repeat(3000) })
  const { files } = await attach(course, listen!, 'ID3 sounds of dough', 'dough.mp3')
  await attach(course, listen!, 'A list of flours.', 'flours.txt')
  const lengths = async () =>
    (await seller.call(getOutline, { id })).map(({ title, minutes, seconds }) => [title, minutes, seconds])
  expect(await lengths()).toEqual([
    ['Basics', 0, 0],
    ['Read', 3, 0],
    ['Listen', 0, null],
    ['Empty', 0, 0],
  ])
  const recording = { id, fileId: files[0]!.id }
  await seller.call(saveSeconds, { ...recording, seconds: 725 })
  expect((await lengths())[2]).toEqual(['Listen', 0, 725])
  const edited = await seller.call(getPart, { id, partId: listen! })
  expect(edited.files.map(({ fileName, seconds }) => [fileName, seconds])).toEqual([
    ['dough.mp3', 725],
    ['flours.txt', null],
  ])
  const other = await teach()
  await expectRefused(
    [
      other.seller.call(saveSeconds, { ...recording, seconds: 1 }),
      seller.call(saveSeconds, { ...recording, id: other.id, seconds: 1 }),
      // a text has no length
      seller.call(saveSeconds, { id, fileId: edited.files[1]!.id, seconds: 1 }),
    ],
    refused(404),
  )
  await expectRefused([seller.call(saveSeconds, { ...recording, seconds: 0 })], refused(400))
})

test('shows a seller the course as a learner sees it, and stores nothing', async () => {
  const course = await teach(['Now', 'Later'])
  const { seller, id } = course
  const [now, later] = course.lessons
  await edit(course, now!, { text: 'Weigh it.' })
  await edit(course, later!, { opensAfterDays: 7 })
  const { files } = await attach(course, now!, 'ID3 sounds of dough', 'dough.mp3')
  // the seller bought the course and finished a lesson
  const order = await buy(open.shop, seller, course)
  await seller.call(setLessonDone, { id: order.lines[0]!.id, lessonId: now!, isDone: true })
  const rows = async () => {
    const { rows: found } = await sql<{ progress: number; events: number; places: number; certificates: number }>`
      SELECT (SELECT count(*)::int FROM lesson_progress WHERE user_id = ${seller.id}::uuid) AS progress,
        (SELECT count(*)::int FROM delivery_events WHERE user_id = ${seller.id}::uuid) AS events,
        (SELECT count(*)::int FROM reading_places WHERE user_id = ${seller.id}::uuid) AS places,
        (SELECT count(*)::int FROM course_certificates WHERE user_id = ${seller.id}::uuid) AS certificates`.execute(
      db(),
    )
    return found
  }
  const before = await rows()

  const shown = await seller.call(getOwnCourse, { id })
  expect(shown).toMatchObject({
    productId: id,
    title: 'Bread at home',
    seller: expect.stringContaining('Sally') as string,
  })
  expect(shown.parts.map(({ title, look, isDone }) => [title, look, isDone])).toEqual([
    ['Basics', 'text', false],
    ['Now', 'audio', false],
    ['Later', 'text', false],
  ])
  expect(shown.parts[1]!.opensAt).toBeNull()
  expect(Date.parse(shown.parts[2]!.opensAt!) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  const get = (cookie: string, path: string) => fetch(open.shop.url + path, { headers: { cookie, range: 'bytes=4-9' } })
  const path = ownFilePath(id, files[0]!.id)
  const part = await get(seller.cookie, path)
  expect([part.status, await part.text()]).toEqual([206, 'sounds'])
  expect(part.headers.get('content-type')).toBe('audio/mpeg')
  expect(await rows()).toEqual(before)

  const { buyer } = await take(course)
  const other = await teach()
  await expectRefused([buyer.call(getOwnCourse, { id }), other.seller.call(getOwnCourse, { id })], refused(404))
  for (const [cookie, wrong] of [
    [buyer.cookie, path],
    [other.seller.cookie, path],
    [seller.cookie, ownFilePath(other.id, files[0]!.id)],
    [seller.cookie, ownFilePath(id, now!)],
  ] as const)
    expect((await get(cookie, wrong)).status).toBe(404)
  expect((await get('', path)).status).toBe(401)
})

test('locks the course and invalidates its certificate at once after a refund', async () => {
  const course = await teach(['Only'])
  const [lesson] = course.lessons
  const { files } = await attach(course, lesson!, 'ID3 a recording', 'a.mp3')
  const { buyer, id, order } = await take(course)
  const { url } = await buyer.call(openFile, { id, fileId: files[0]!.id })
  const { certificate } = await buyer.call(setLessonDone, { id, lessonId: lesson!, isDone: true })
  const fetchAs = (path: string) => fetch(open.shop.url + path, { headers: { cookie: buyer.cookie } })
  const check = async () => (await fetch(`${open.shop.url}/certificates/${certificate!.number.toLowerCase()}`)).text()
  expect(await check()).toContain('Bea Person has completed “Bread at home”')
  const pdf = await fetchAs(`/api/learn/${id}/certificate`)
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(
    Buffer.from(await pdf.bytes())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect((await fetch(`${open.shop.url}/certificates/PC-0000-0000-0000`)).status).toBe(404)
  await refund(order)
  await expectRefused(
    [
      buyer.call(getCourse, { id }),
      buyer.call(getLesson, { id, lessonId: lesson! }),
      buyer.call(setLessonDone, { id, lessonId: lesson!, isDone: false }),
      buyer.call(openFile, { id, fileId: files[0]!.id }),
      buyer.call(keepPlace, { id, fileId: files[0]!.id, place: '1', share: 0, movedAt: new Date().toISOString() }),
    ],
    refused(404),
  )
  expect((await fetchAs(url)).status).toBe(403)
  expect((await fetchAs(`/api/learn/${id}/certificate`)).status).toBe(404)
  expect(await check()).toContain('Withdrawn')
  expect((await buyer.call(getOrder, { id: order.id })).lines[0]!.delivery).toBeNull()
})

test('records a viewed lesson for refunds before showing it', async () => {
  const course = await teach(['Only'])
  const { buyer, id } = await take(course)
  const uses = () => db().selectFrom('deliveryEvents').select('kind').where('userId', '=', buyer.id).execute()
  await buyer.call(getCourse, { id })
  expect(await uses()).toEqual([])
  for (let i = 0; i < 2; i++) await buyer.call(getLesson, { id, lessonId: course.lessons[0]! })
  expect(await uses()).toEqual([{ kind: 'read' }])
})

test('shows before the purchase when a lesson opens', async () => {
  const course = await teach(['Now', 'Later', 'After', 'Past'])
  await edit(course, course.lessons[1]!, { opensOn: '2999-01-31' })
  await edit(course, course.lessons[2]!, { opensAfterDays: 7 })
  await edit(course, course.lessons[3]!, { opensOn: '2020-01-31' })
  const shown = await open.shop.call(listPreviews, { id: course.id })
  expect(shown.map(({ title, opensOn, opensAfterDays }) => [title, opensOn, opensAfterDays])).toEqual([
    ['Basics', null, null],
    ['Now', null, null],
    ['Later', '2999-01-31', null],
    ['After', null, 7],
    ['Past', null, null],
  ])
})

test('shows the list of lessons and the text of previews to everyone', async () => {
  const course = await teach(['Free', 'Paid'])
  await edit(course, course.lessons[0]!, { text: 'Read me.', isPreview: true })
  await edit(course, course.lessons[1]!, { text: 'A secret.' })
  const shown = await open.shop.call(listPreviews, { id: course.id })
  expect(shown.map(({ title, text }) => [title, text])).toEqual([
    ['Basics', null],
    ['Free', 'Read me.'],
    ['Paid', null],
  ])
  await sql`UPDATE products SET is_active = false WHERE id = ${course.id}::uuid`.execute(db())
  expect(await open.shop.call(listPreviews, { id: course.id })).toEqual([])
})

test('exports the progress of an account, and removes the name from certificates of an erased one', async () => {
  const course = await teach(['Only'])
  const { buyer, id } = await take(course)
  const { certificate } = await buyer.call(setLessonDone, { id, lessonId: course.lessons[0]!, isDone: true })
  const files = await readMyData(open.shop.database.pool, buyer.id)
  expect(files['certificates.json']).toMatchObject([{ number: certificate!.number }])
  expect(files['lessons.json']).toMatchObject([{ lesson: 'Only' }])
  await sql`UPDATE users SET erase_at = now() - interval '1 day' WHERE id = ${buyer.id}::uuid`.execute(db())
  await eraseDueAccounts(db())
  const page = await (await fetch(`${open.shop.url}/certificates/${certificate!.number}`)).text()
  expect(page).toContain('A former member has completed')
  expect(page).not.toContain('Bea')
})
