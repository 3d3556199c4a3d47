import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dispute } from '../../test/dispute.ts'
import { addProduct } from '../../test/goods.ts'
import { buyMany } from '../../test/order.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { requestExport } from '../account/data/export.contract.ts'
import { createProduct } from '../catalogue/catalogue.contract.ts'
import { revealCodes } from '../delivery/codes/codes.contract.ts'
import { getLesson, listLessons, setLessonDone } from '../delivery/courses/learning.contract.ts'
import { addLessonFile, addPart, getOutline, getPart, savePart } from '../delivery/courses/outline.contract.ts'
import { grantDownload } from '../delivery/files/files.contract.ts'
import { giveCopies, renewGift } from '../delivery/gifts/gifts.contract.ts'
import { addDevice, makeLicenseFile, revealLicense } from '../delivery/licenses/ownedLicense.contract.ts'
import { openFile } from '../delivery/reading/reading.contract.ts'
import { fillPath, type Line } from '../kit/contract.ts'
import { accessOf, lineOf, type Route } from '../kit/handle.server.ts'
import { upload } from '../../test/served.ts'

// Every route that delivers goods uses the delivery gate.

const open = openShopForTests({ BONUS_PERCENT: '0' })
const db = () => open.shop.database.db

const LESSON = 'Weigh the flour twice.'
const LESSON_FILE = 'The recipe of the lesson.'

/** Creates a course of one lesson with a file. */
async function teach() {
  const seller = await open.shop.join()
  const { id } = await seller.call(createProduct, {
    ...{ title: 'Bread at home', description: '', price: '10.00', categoryId: 'courses' },
  })
  await seller.call(addPart, { id, isSection: false, title: 'Flour' })
  const partId = (await seller.call(getOutline, { id }))[0]!.id
  const { title, opensOn, opensAfterDays, isPreview, version } = await seller.call(getPart, { id, partId })
  await seller.call(savePart, { id, partId, title, text: LESSON, opensOn, opensAfterDays, isPreview, version })
  const uploadURL = await upload(open.shop, seller, Buffer.from(LESSON_FILE), 'recipe.txt')
  const part = await seller.call(addLessonFile, { id, partId, uploadURL })
  return { id, price: '10.00', lessonId: partId, lessonFileId: part.files[0]!.id }
}

/** Buys one line of each kind of goods. Returns the order and the secrets that each kind delivers. */
async function buyEverything() {
  const buyer = await open.shop.join()
  const codes = Array.from({ length: 3 }, () => crypto.randomUUID().toUpperCase())
  const [file, cards, software, course] = [
    await addProduct(open.shop),
    await addProduct(open.shop, { codes }),
    await addProduct(open.shop),
    await teach(),
  ]
  await db().updateTable('products').set({ delivery: 'license' }).where('id', '=', software.id).execute()
  const order = await buyMany(open.shop, buyer, [
    { product: file, quantity: 1 },
    { product: cards, quantity: 3 },
    { product: software, quantity: 1 },
    { product: course, quantity: 1 },
  ])
  const lineOfProduct = ({ id }: { id: string }) => order.lines.find(({ productId }) => productId === id)!.id
  const lines = {
    ...{ file: lineOfProduct(file), code: lineOfProduct(cards) },
    ...{ license: lineOfProduct(software), course: lineOfProduct(course) },
  }
  const fileOf = async (productId: string) =>
    (await db().selectFrom('products').select('fileId').where('id', '=', productId).executeTakeFirstOrThrow()).fileId!
  const fingerprint = 'device-number-1'
  const license = { id: order.id, lineId: lines.license }
  const { devices } = await buyer.call(addDevice, { ...license, fingerprint, name: 'Laptop' })
  const { gift } = await buyer.call(giveCopies, { id: order.id, lineId: lines.code, quantity: 1 })
  const { key } = await buyer.call(revealLicense, license)
  const fileId = await fileOf(file.id)
  return {
    ...{ buyer, order, lines, fileId, course, giftId: gift.id, deviceId: devices[0]!.id },
    secrets: [...codes, key, LESSON, LESSON_FILE, `the bytes of ${file.id}`, '/downloads/', '/gift/', '"signature'],
  }
}

type Bought = Awaited<ReturnType<typeof buyEverything>>
type Hand = { use: string | null; call: (bought: Bought) => Promise<unknown> }

const link = async ({ buyer }: Bought, url: string) =>
  (await fetch(open.shop.url + url, { headers: { cookie: buyer.cookie } })).text()

/** Routes that deliver goods, with the use that each records. A link records its use at its first request. */
const HANDS_OUT: Record<string, Hand> = {
  // Comes before the reveal, because revealed codes cannot become a gift.
  'POST /api/orders/:id/lines/:lineId/gifts': {
    use: null,
    call: ({ buyer, order, lines }) => buyer.call(giveCopies, { id: order.id, lineId: lines.code, quantity: 1 }),
  },
  'POST /api/gifts/:id/link': { use: null, call: ({ buyer, giftId }) => buyer.call(renewGift, { id: giftId }) },
  'POST /api/orders/:id/lines/:lineId/download': {
    use: null,
    call: ({ buyer, order, lines }) => buyer.call(grantDownload, { id: order.id, lineId: lines.file }),
  },
  'POST /api/read/:id/files/:fileId': {
    use: null,
    call: ({ buyer, lines, fileId }) => buyer.call(openFile, { id: lines.file, fileId }),
  },
  'GET /downloads/:id': {
    use: 'download',
    call: async (bought) => {
      const { buyer, order, lines } = bought
      return link(bought, (await buyer.call(grantDownload, { id: order.id, lineId: lines.file })).url)
    },
  },
  'POST /api/orders/:id/lines/:lineId/reveal': {
    use: 'reveal',
    call: ({ buyer, order, lines }) => buyer.call(revealCodes, { id: order.id, lineId: lines.code }),
  },
  'POST /api/orders/:id/lines/:lineId/license/reveal': {
    use: 'reveal',
    call: ({ buyer, order, lines }) => buyer.call(revealLicense, { id: order.id, lineId: lines.license }),
  },
  'POST /api/orders/:id/lines/:lineId/license/devices/:deviceId/file': {
    use: 'activate',
    call: ({ buyer, order, lines, deviceId }) =>
      buyer.call(makeLicenseFile, { id: order.id, lineId: lines.license, deviceId }),
  },
  'GET /api/learn/:id/lessons': {
    use: 'read',
    call: ({ buyer, lines }) => buyer.call(listLessons, { id: lines.course }),
  },
  'GET /api/learn/:id/lessons/:lessonId': {
    use: 'read',
    call: ({ buyer, lines, course }) => buyer.call(getLesson, { id: lines.course, lessonId: course.lessonId }),
  },
}

const isLeak = (text: string, { secrets }: Bought) => secrets.some((secret) => text.includes(secret))

const usesOf = async ({ order }: Bought) => {
  const { rows } = await sql<{
    kind: string
  }>`SELECT v.kind FROM delivery_events v JOIN entitlements e ON e.id = v.entitlement_id
    JOIN order_lines l ON l.id = e.order_line_id WHERE l.order_id = ${order.id}::uuid ORDER BY v.id`.execute(db())
  return rows.map(({ kind }) => kind)
}

test('routes that deliver goods record their use', async () => {
  const bought = await buyEverything()
  expect(open.shop.routes.map(lineOf)).toEqual(expect.arrayContaining(Object.keys(HANDS_OUT)))
  for (const [line, { use, call }] of Object.entries(HANDS_OUT)) {
    expect(isLeak(JSON.stringify(await call(bought)), bought), line).toBe(true)
    const uses = await usesOf(bought)
    if (use) expect(uses, line).toContain(use)
    else expect(uses, line).toEqual(['activate', 'reveal'])
  }
})

/** Yields every member route with the ids of the order in its path and plausible values in its body. */
function* requestsFor(routes: Route[], { order, lines, fileId, course, giftId, deviceId }: Bought) {
  const rest = {
    fileId,
    lessonId: course.lessonId,
    deviceId,
    quantity: 1,
    isDone: true,
    isAll: true,
    ids: Object.values(lines),
  }
  for (const route of routes) {
    const line = lineOf(route)
    // Skips routes that end the session of this test, and the endless event stream.
    if (accessOf(route) !== 'member' || /DELETE |\/account\/sessions|\/api\/events/.test(line)) continue
    const shape = route.kind === 'raw' ? {} : (route.endpoint.input as { shape?: object }).shape
    const fields = Object.fromEntries(Object.entries(rest).filter(([name]) => name in (shape ?? {})))
    const ids = line.includes(':lineId') ? [order.id] : [order.id, giftId, course.id, ...Object.values(lines)]
    for (const id of line.includes(':id') ? ids : ['-'])
      for (const lineId of line.includes(':lineId') ? Object.values(lines) : ['-'])
        for (const oneFile of line.includes(':fileId') ? [fileId, course.lessonFileId] : [fileId])
          yield { line, ...requestOf(line, fields, { ...rest, id, lineId, fileId: oneFile }) }
  }
}

function requestOf(line: Line, fields: object, ids: Record<string, unknown>) {
  const { method, path } = fillPath(line, ids)
  const body = Object.fromEntries(Object.entries(fields).filter(([name]) => !line.includes(`:${name}`)))
  return { method, path, body }
}

const AT_ONCE = 8

test('delivers nothing of a disputed order on any route', async () => {
  const bought = await buyEverything()
  const { buyer, order, lines, fileId } = bought
  const links = [
    (await buyer.call(grantDownload, { id: order.id, lineId: lines.file })).url,
    (await buyer.call(openFile, { id: lines.file, fileId })).url,
    (await buyer.call(requestExport, {})).url,
  ]
  await link(bought, links[1]!)
  await dispute(open.shop, order.id)
  const uses = await usesOf(bought)
  const refused = new Set<string>()
  const leaks: string[] = []
  for (const url of links) if (isLeak(await link(bought, url), bought)) leaks.push(url)
  const requests = [...requestsFor(open.shop.routes, bought)]
  for (let start = 0; start < requests.length; start += AT_ONCE)
    await Promise.all(
      requests.slice(start, start + AT_ONCE).map(async ({ line, method, path, body }) => {
        const text = await (await ask(buyer, method, path, body)).text()
        if (isLeak(text, bought)) leaks.push(`${method} ${path}`)
        if (/"(disputed|closed|frozen)"/.test(text)) refused.add(line)
      }),
    )
  expect(leaks).toEqual([])
  // Every route of the table refused the order.
  const called = Object.keys(HANDS_OUT).filter((line) => !line.startsWith('GET /downloads/'))
  expect([...refused]).toEqual(expect.arrayContaining(called))
  expect(await usesOf(bought)).toEqual(uses)
}, 300_000)

const ask = ({ cookie }: Person, method: string, path: string, body: object) =>
  fetch(open.shop.url + path, {
    method,
    headers: { cookie, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })

test('the export of an account lists bought goods but does not contain them', async () => {
  const bought = await buyEverything()
  const { url } = await bought.buyer.call(requestExport, {})
  const before = await usesOf(bought)
  const bytes = Buffer.from(
    await (await fetch(open.shop.url + url, { headers: { cookie: bought.buyer.cookie } })).arrayBuffer(),
  )
  expect(bytes.includes('book.txt')).toBe(false)
  expect(await usesOf(bought)).toEqual(before)
})

test('a completed lesson counts as read', async () => {
  const bought = await buyEverything()
  const { buyer, lines, course } = bought
  await buyer.call(setLessonDone, { id: lines.course, lessonId: course.lessonId, isDone: true })
  expect(await usesOf(bought)).toContain('read')
})

/** The only files that may open stored objects, codes or keys, with the reason. */
const OPENERS: Record<string, string> = {
  'src/aftersale/cases/cases.server.ts': 'shows sellers and staff a reported code, with a line in the audit log',
  'src/aftersale/disputes/evidenceFiles.server.ts': 'files of sellers and staff about a dispute, no goods',
  'src/catalogue/previews/cut/cutter.server.ts': 'cuts a free sample of the seller’s own file',
  'src/catalogue/previews/previews.server.ts': 'free samples',
  'src/delivery/codes/codes.server.ts': 'behind the gate',
  'src/delivery/codes/rotate.server.ts': 'changes the secret',
  'src/delivery/codes/stock.server.ts': 'shows a seller the masks of own codes',
  'src/delivery/courses/own/ownCourse.server.ts': 'files of the seller’s own course',
  'src/delivery/delivery.server.ts': 'checks at start that codes open',
  'src/delivery/files/downloads.server.ts': 'behind the gate',
  'src/delivery/gate.server.ts': 'the gate',
  'src/delivery/licenses/ownedLicense.server.ts': 'behind the gate',
  'src/delivery/stamp/stamps.server.ts': 'makes the buyer’s copy',
}

test('only the files behind the gate open goods', () => {
  const opens = /\b(storage|from)\.open\(|\breadStart\(|\bvault\.(open|tryOpen)\(|\bsendFile\((page|\{)|\bstamps\.of\(/
  const files = globSync('src/**/*.{server,module}.ts').filter((file) => !file.startsWith('src/uploads/'))
  const openers = files.filter((file) => opens.test(readFileSync(file, 'utf8')))
  expect(openers.toSorted()).toEqual(Object.keys(OPENERS))
  for (const [file, reason] of Object.entries(OPENERS))
    if (reason === 'behind the gate')
      expect(readFileSync(file, 'utf8'), file).toMatch(/await openGoods\(|openGoods\(tx/)
})
