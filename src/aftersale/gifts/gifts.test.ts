import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { wrongBooks } from '../../../test/credit.ts'
import { dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { mailedLink, mailedText } from '../../../test/mail.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { readMyData } from '../../account/data/export.rows.server.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { setGiven } from '../../delivery/entitlements.server.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import {
  claimGift,
  giveCopies,
  keepCopy,
  listGifts,
  lookAtGift,
  MAX_MAILS,
  renewGift,
  takeGiftBack,
} from '../../delivery/gifts/gifts.contract.ts'
import { listLibrary } from '../../delivery/library/owned.contract.ts'
import { getLicense, revealLicense } from '../../delivery/licenses/ownedLicense.contract.ts'
import type { Failure } from '../../kit/failure.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { getOrder, type Order } from '../../purchases/orders.contract.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import { listPurchases } from '../../reviews/reviews.contract.ts'
import { addAllEvents } from '../../selling/sales/rollup.server.ts'
import { listOwnProducts } from '../../selling/selling.contract.ts'
import { refundOrder } from '../refunds/refund.server.ts'
import { requestRefund } from '../refunds/request.contract.ts'
import { getRefundOffer, takeRefund } from '../refunds/selfRefund.contract.ts'
import { giftJobs } from './gift.mail.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', DATABASE_POOL: '25' })
const db = () => open.shop.database.db
const codesOf = (count: number) => Array.from({ length: count }, () => crypto.randomUUID().toUpperCase())

async function bought({ codes, quantity = 1 }: { codes?: string[]; quantity?: number } = {}) {
  const [giver, friend] = [await open.shop.join({ firstName: 'Ada' }), await open.shop.join()]
  const product = await addProduct(open.shop, codes ? { codes } : {})
  const order = await buyMany(open.shop, giver, [{ product, quantity }])
  return { giver, friend, product, order, line: { id: order.id, lineId: order.lines[0]!.id } }
}

const tokenIn = (link: string | URL) => String(link).split('/gift/')[1]!
async function give(giver: Person, line: { id: string; lineId: string }, quantity = 1) {
  const { gift, link } = await giver.call(giveCopies, { ...line, quantity })
  return { gift, token: tokenIn(link) }
}
const lineOf = async (person: Person, orderId: string) => {
  const { lines } = await person.call(getOrder, { id: orderId })
  return { id: orderId, lineId: lines[0]!.id }
}
const codesAt = async (person: Person, line: { id: string; lineId: string }) =>
  (await person.call(revealCodes, line)).codes.map(({ code }) => code)
const refused = (status: number, code?: string) => ({ status, ...(code && { code }) })
const run = async (name: string, payload = {}) => {
  const job = giftJobs(open.shop.checkout).find((one) => one.name === name)!
  await (job.run as (payload: object) => Promise<unknown>)(payload)
}
const refund = async (order: Order, quantity?: number) => {
  const lines = quantity === undefined ? undefined : [{ orderLineId: order.lines[0]!.id, quantity }]
  await refundOrder(open.shop.checkout, order.id, 'asked for', undefined, { isCodeSeen: true, lines })
  await runRefunds(open.shop)
}

test("transfers a file to the member who claims it, and revokes the giver's access", async () => {
  const { giver, friend, order, line } = await bought()
  const { token } = await give(giver, line)
  await expect(giver.call(grantDownload, line)).rejects.toMatchObject(refused(404))
  expect(await giver.call(getOrder, { id: order.id })).toMatchObject({
    lines: [{ delivery: null, given: 1, isToGive: true }],
  })
  const { orderId } = await friend.call(claimGift, { token })
  const own = await lineOf(friend, orderId)
  const { url } = await friend.call(grantDownload, own)
  expect((await fetch(open.shop.url + url, { headers: { cookie: friend.cookie } })).status).toBe(200)
  expect(await friend.call(getOrder, { id: orderId })).toMatchObject({ source: 'gift', giver: 'Ada P.', total: '0.00' })
  expect((await friend.call(listLibrary, {})).map(({ orderId: id }) => id)).toEqual([orderId])
  expect(await giver.call(listLibrary, {})).toEqual([])
  expect(await mailedText(open.shop, giver.email, 'Your gift was claimed')).not.toContain(friend.email)
  // only buyers can review
  expect(await friend.call(listPurchases, { id: order.lines[0]!.productId })).toEqual([])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('leaves one copy of a file to the buyer, and lets the buyer give away the others', async () => {
  const { giver, friend, order, line } = await bought({ quantity: 3 })
  await giver
    .call(grantDownload, line)
    .then(({ url }) => fetch(open.shop.url + url, { headers: { cookie: giver.cookie } }))
  expect(await giver.call(listGifts, line)).toMatchObject({ most: 2, whyNot: null })
  await expect(give(giver, line, 3)).rejects.toMatchObject(refused(409, 'opened'))
  const gifts = [await give(giver, line), await give(giver, line)]
  await expect(give(giver, line)).rejects.toMatchObject(refused(409, 'opened'))
  await friend.call(claimGift, { token: gifts[0]!.token })
  // the friend owns the file already, so a second copy is useless
  await expect(friend.call(claimGift, { token: gifts[1]!.token })).rejects.toMatchObject(refused(409, 'already_owned'))
  await (await open.shop.join()).call(claimGift, { token: gifts[1]!.token })
  await giver.call(grantDownload, line)
  expect(order.lines[0]!.quantity).toBe(3)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('lets a buyer who owns the file give away all later copies, until the first purchase is refunded', async () => {
  const { giver, product, order, line } = await bought()
  const again = await buyMany(open.shop, giver, [{ product, quantity: 1 }])
  expect(again.lines[0]).toMatchObject({ delivery: null, isToGive: true })
  const second = { id: again.id, lineId: again.lines[0]!.id }
  expect(await giver.call(listGifts, second)).toMatchObject({ most: 1, canKeep: false })
  await expect(giver.call(keepCopy, second)).rejects.toMatchObject(refused(409))
  const { gift } = await give(giver, second)
  await giver.call(takeGiftBack, { id: gift.id })
  await expect(giver.call(grantDownload, second)).rejects.toMatchObject(refused(404))
  await refund(order)
  await expect(giver.call(grantDownload, line)).rejects.toMatchObject(refused(404))
  expect(await giver.call(keepCopy, second)).toMatchObject({ most: 1, canKeep: false })
  await giver.call(grantDownload, second)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('keeps a second purchase usable while a dispute locks the first', async () => {
  const { giver, friend, product, order } = await bought()
  const disputed = await dispute(open.shop, order.id)
  const second = await buyMany(open.shop, giver, [{ product, quantity: 1 }])
  expect(second.lines[0]).toMatchObject({ delivery: { kind: 'file' }, isToGive: false })
  await disputed.end('win')
  // a dispute or refund does not block a gift to its member either
  const own = await buyMany(open.shop, friend, [{ product, quantity: 1 }])
  const { token } = await give(giver, { id: second.id, lineId: second.lines[0]!.id })
  await expect(friend.call(claimGift, { token })).rejects.toMatchObject(refused(409, 'already_owned'))
  await refundOrder(open.shop.checkout, own.id, 'asked for')
  const { orderId } = await friend.call(claimGift, { token })
  await runRefunds(open.shop)
  await friend.call(grantDownload, await lineOf(friend, orderId))
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('gives unseen codes away, and shows them to the recipient only', async () => {
  const codes = codesOf(3)
  const { giver, friend, line } = await bought({ codes, quantity: 3 })
  const { token } = await give(giver, line, 2)
  expect(await giver.call(getOrder, { id: line.id })).toMatchObject({
    lines: [{ delivery: { kind: 'code', count: 1 } }],
  })
  const { orderId } = await friend.call(claimGift, { token })
  const theirs = await codesAt(friend, await lineOf(friend, orderId))
  const own = await codesAt(giver, line)
  expect([...own, ...theirs].sort()).toEqual([...codes].sort())
  expect([own.length, theirs.length]).toEqual([1, 2])
  // a revealed code cannot be given away
  await expect(give(giver, line)).rejects.toMatchObject(refused(409, 'opened'))
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('gives licence seats away as a separate key', async () => {
  const [giver, friend] = [await open.shop.join(), await open.shop.join()]
  const product = await addProduct(open.shop)
  await db().updateTable('products').set({ delivery: 'license' }).where('id', '=', product.id).execute()
  const order = await buyMany(open.shop, giver, [{ product, quantity: 3 }])
  const line = { id: order.id, lineId: order.lines[0]!.id }
  const { token } = await give(giver, line, 2)
  expect(await giver.call(getLicense, line)).toMatchObject({ seats: 1 })
  const { orderId } = await friend.call(claimGift, { token })
  const own = await lineOf(friend, orderId)
  expect(await friend.call(getLicense, own)).toMatchObject({ seats: 2, state: 'active' })
  expect((await friend.call(revealLicense, own)).key).not.toBe((await giver.call(revealLicense, line)).key)
  expect(await wrongBooks(open.shop)).toEqual([])
  await refund(order)
  await expect(friend.call(getLicense, own)).resolves.toMatchObject({ state: 'ended' })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('lets one of several members claim at once, and returns the same result to two tabs of one account', async () => {
  const { giver, friend, line } = await bought({ codes: codesOf(1) })
  const { token } = await give(giver, line)
  const others = await Promise.all(Array.from({ length: 5 }, () => open.shop.join()))
  const claims = await Promise.allSettled(
    [friend, friend, ...others].map((person) => person.call(claimGift, { token })),
  )
  const won = claims.filter((one) => one.status === 'fulfilled')
  const lost = claims.filter((one) => one.status === 'rejected').map(({ reason }) => reason as Failure)
  expect(new Set(won.map(({ value }) => value.orderId)).size).toBe(1)
  expect(lost.every(({ status, code }) => status === 409 && code === 'claimed')).toBe(true)
  expect(lost.length).toBeGreaterThanOrEqual(5)
  const { rows } = await sql`SELECT FROM order_lines m JOIN gifts g ON g.id = m.gift_id
    JOIN order_lines b ON b.id = g.order_line_id WHERE b.order_id = ${line.id}::uuid`.execute(db())
  expect(rows).toHaveLength(1)
  await expect(giver.call(claimGift, { token })).rejects.toMatchObject(refused(409, 'claimed'))
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('either claims or withdraws a gift at the same moment, never both', async () => {
  for (let round = 0; round < 5; round++) {
    const { giver, friend, line } = await bought({ codes: codesOf(1) })
    const { gift, token } = await give(giver, line)
    const [claimed, taken] = await Promise.allSettled([
      friend.call(claimGift, { token }),
      giver.call(takeGiftBack, { id: gift.id }),
    ])
    expect([claimed.status, taken.status].sort()).toEqual(['fulfilled', 'rejected'])
    if (taken.status === 'fulfilled') expect(await codesAt(giver, line)).toHaveLength(1)
    else await expect(giver.call(revealCodes, line)).rejects.toMatchObject(refused(404))
  }
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('expires a link when it is renewed or the gift ends', async () => {
  const { giver, friend, line } = await bought()
  const { gift, token } = await give(giver, line)
  await expect(giver.call(claimGift, { token })).rejects.toMatchObject(refused(409, 'own_gift'))
  const { link } = await giver.call(renewGift, { id: gift.id })
  await expect(friend.call(claimGift, { token })).rejects.toMatchObject(refused(404))
  await expect(friend.call(lookAtGift, { token })).rejects.toMatchObject(refused(404))
  await expect(friend.call(renewGift, { id: gift.id })).rejects.toMatchObject(refused(404))
  await expect(friend.call(takeGiftBack, { id: gift.id })).rejects.toMatchObject(refused(404))
  await giver.call(takeGiftBack, { id: gift.id })
  expect(await friend.call(lookAtGift, { token: tokenIn(link) })).toMatchObject({ state: 'taken_back' })
  await expect(friend.call(claimGift, { token: tokenIn(link) })).rejects.toMatchObject(refused(409, 'gift_over'))
  await giver.call(grantDownload, line)
  // the table stores a hash, not the link
  const { tokenHash } = await db()
    .selectFrom('gifts')
    .select('tokenHash')
    .where('id', '=', gift.id)
    .executeTakeFirstOrThrow()
  expect(tokenHash).not.toContain(tokenIn(link))
})

test('shows a visitor the product, the giver and the note, and renders the page for visitors', async () => {
  const codes = codesOf(1)
  const { giver, line, product } = await bought({ codes })
  const { link } = await giver.call(giveCopies, { ...line, quantity: 1, toName: 'Noor', note: 'Start <b>early</b>.' })
  const look = await fetch(`${open.shop.url}/api/gifts/look`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: tokenIn(link) }),
  })
  const text = await look.text()
  expect(JSON.parse(text)).toMatchObject({
    from: 'Ada P.',
    toName: 'Noor',
    state: 'open',
    title: 'A small book',
    isOwn: false,
  })
  expect(text).not.toContain(codes[0])
  expect(look.headers.get('cache-control')).toContain('no-store')
  expect(product.id).toBe((JSON.parse(text) as { productId: string }).productId)
  await expect(giver.call(giveCopies, { ...line, quantity: 1, note: 'see https://x.example' })).rejects.toMatchObject(
    refused(400),
  )
  await expect((await open.shop.join()).call(giveCopies, { ...line, quantity: 1 })).rejects.toMatchObject(refused(404))
})

test('creates one gift for a repeated request, and rejects its key for another gift', async () => {
  const { giver, line } = await bought({ quantity: 3 })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const wanted = { note: 'Hello', toEmail: `${crypto.randomUUID()}@friends.example`, sendAt: inDays(3) }
  const press = (changed = {}) =>
    giver.call(
      giveCopies,
      { ...line, quantity: 1, ...wanted, ...changed },
      { headers: { 'idempotency-key': 'one press' } },
    )
  const [first, second] = await Promise.all([press(), press()])
  expect(second).toEqual(first)
  expect((await giver.call(listGifts, line)).gifts).toHaveLength(1)
  for (const changed of [{ note: 'Another' }, { sendAt: inDays(4) }])
    await expect(press(changed)).rejects.toMatchObject(refused(422, 'key_reused'))
})

test('mails strangers at most ten times a day, without addresses written by a member or seller', async () => {
  const { giver, line, product } = await bought({ quantity: 15 })
  await db().updateTable('orderLines').set({ title: 'Win at bread.casino' }).where('id', '=', line.lineId).execute()
  await db().updateTable('users').set({ firstName: 'www.bread' }).where('id', '=', giver.id).execute()
  const box = crypto.randomUUID()
  const mail = (toEmail: string, sendAt?: string) =>
    giver.call(giveCopies, { ...line, quantity: 1, toEmail, ...(sendAt && { sendAt }) })
  const { gift } = await mail(`${box}@friends.example`)
  const text = await mailedText(open.shop, `${box}@friends.example`, 'Someone sent you a gift')
  expect(text).toContain('Someone has sent you a gift.')
  for (let sent = 1; sent < MAX_MAILS - 1; sent++) await mail(`${box.toUpperCase()}+${sent}@friends.example`)
  await giver.call(renewGift, { id: gift.id })
  await expect(mail(`${box}@friends.example`)).rejects.toMatchObject(refused(409, 'too_many_mails'))
  await expect(giver.call(renewGift, { id: gift.id })).rejects.toMatchObject(refused(409, 'too_many_mails'))
  await mail(`${box}@friends.example`, new Date(Date.now() + 3 * 86_400_000).toISOString())
  await mail(`${crypto.randomUUID()}@friends.example`)
  // another giver has a separate limit
  const other = await open.shop.join()
  const order = await buyMany(open.shop, other, [{ product, quantity: 1 }])
  const own = { id: order.id, lineId: order.lines[0]!.id }
  await other.call(giveCopies, { ...own, quantity: 1, toEmail: `${box}@friends.example` })
})

test('does not change the sales counters for a gift or its refund', async () => {
  const seller = await open.shop.join()
  const { giver, friend, product, order, line } = await bought({ quantity: 2 })
  await db().updateTable('products').set({ sellerId: seller.id }).where('id', '=', product.id).execute()
  const sales = async () => {
    await addAllEvents(db(), async () => undefined)
    const { sales: counted } = await db()
      .selectFrom('productCounts')
      .select('sales')
      .where('productId', '=', product.id)
      .executeTakeFirstOrThrow()
    return [counted, (await seller.call(listOwnProducts, {}))[0]!.sales]
  }
  expect(await sales()).toEqual([1, 1])
  const { token } = await give(giver, line)
  await friend.call(claimGift, { token })
  expect(await sales()).toEqual([1, 1])
  const last = await give(giver, line)
  expect(await sales()).toEqual([1, 1])
  await giver.call(takeGiftBack, { id: last.gift.id })
  await give(giver, line)
  expect(await sales()).toEqual([1, 1])
  await refund(order)
  expect(await sales()).toEqual([1, 1])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('requires a fresh proof before giving codes away or renewing a link, but not before giving a book', async () => {
  const cards = await bought({ codes: codesOf(2), quantity: 2 })
  const book = await bought()
  const { gift } = await give(cards.giver, cards.line)
  await sql`UPDATE sessions SET verified_at = now() - interval '11 minutes'
    WHERE user_id IN (${cards.giver.id}::uuid, ${book.giver.id}::uuid)`.execute(db())
  const asked = { status: 403, code: 'step_up_required' }
  await expect(give(cards.giver, cards.line)).rejects.toMatchObject(asked)
  await expect(cards.giver.call(renewGift, { id: gift.id })).rejects.toMatchObject(asked)
  const { gifts } = await cards.giver.call(listGifts, cards.line)
  expect(gifts).toHaveLength(1)
  expect((await give(book.giver, book.line)).gift.state).toBe('open')
  await sql`UPDATE products SET category_id = 'gift-cards' WHERE id = ${book.product.id}::uuid`.execute(db())
  await expect(give(book.giver, book.line)).rejects.toMatchObject(asked)
})

// reveal and gift at the same moment (rule G13)
test('reveals no codes of a line whose last copies became gifts while the reveal waited', async () => {
  const { giver, line } = await bought({ codes: codesOf(1) })
  const reveal = await inTransaction(db(), async (tx) => {
    await lockOrder(tx, line.id)
    const waiting = Promise.allSettled([giver.call(revealCodes, line)])
    const locks = sql`SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`
    await expect.poll(async () => (await locks.execute(tx)).rows.length).toBe(1)
    await setGiven(tx, line.lineId, true)
    return { waiting }
  })
  expect(await reveal.waiting).toMatchObject([{ status: 'rejected', reason: { status: 404 } }])
  const { rows } = await sql`SELECT FROM delivery_events WHERE user_id = ${giver.id}::uuid`.execute(db())
  expect(rows).toEqual([])
})

test('mails a gift on its day once, with a working link', async () => {
  const { giver, friend, line } = await bought()
  const toEmail = `${crypto.randomUUID()}@friends.example`
  const sendAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const { gift } = await giver.call(giveCopies, { ...line, quantity: 1, toEmail, note: 'For you', sendAt })
  const mails = () => db().selectFrom('mails').selectAll().where('recipient', '=', toEmail).execute()
  await run('send_gifts')
  expect(await mails()).toEqual([])
  await sql`UPDATE gifts SET send_at = now() - interval '1 second' WHERE id = ${gift.id}::uuid`.execute(db())
  await Promise.all([run('send_gifts'), run('send_gifts')])
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  const link = await mailedLink(open.shop, toEmail)
  // the queued mail stores the link encrypted
  expect(mail!.bodyText + mail!.bodyHtml).not.toContain(tokenIn(link))
  expect(await mailedText(open.shop, toEmail)).toContain('For you')
  await friend.call(claimGift, { token: tokenIn(link) })
})

test('refunds the giver and revokes the gift at once, and locks the gift during a dispute', async () => {
  const { giver, friend, order, line } = await bought({ codes: codesOf(2), quantity: 2 })
  const [claimed, waiting] = [await give(giver, line), await give(giver, line)]
  const { orderId } = await friend.call(claimGift, { token: claimed.token })
  const own = await lineOf(friend, orderId)
  const offered = () => giver.call(getRefundOffer, { id: order.id })
  const copies = { atOnce: 1, whyNot: 'claimed' }
  expect(await offered()).toMatchObject({ lines: [{ ...copies, claimed: { copies: 1, isOpened: false } }] })
  await codesAt(friend, own)
  expect(await offered()).toMatchObject({ lines: [{ ...copies, claimed: { copies: 1, isOpened: true } }] })
  await refundOrder(open.shop.checkout, order.id, 'asked for', undefined, { isCodeSeen: true })
  await expect(friend.call(revealCodes, own)).rejects.toMatchObject(refused(409, 'refund_under_way'))
  await expect(friend.call(claimGift, { token: waiting.token })).rejects.toMatchObject(refused(409, 'closed'))
  await runRefunds(open.shop)
  await expect(friend.call(revealCodes, own)).rejects.toMatchObject(refused(404))
  expect(await friend.call(getOrder, { id: orderId })).toMatchObject({
    status: 'completed',
    lines: [{ refunded: 1, delivery: null }],
  })
  await expect((await open.shop.join()).call(claimGift, { token: waiting.token })).rejects.toMatchObject(
    refused(409, 'gift_over'),
  )
  const free = await db()
    .selectFrom('codes')
    .select('state')
    .where('productId', '=', order.lines[0]!.productId)
    .execute()
  // The friend has seen the first code. The second one is unseen.
  expect(free.map(({ state }) => state).toSorted()).toEqual(['free', 'void'])
  expect(await wrongBooks(open.shop)).toEqual([])

  const second = await bought({ codes: codesOf(2), quantity: 2 })
  const [taken, left] = [await give(second.giver, second.line), await give(second.giver, second.line)]
  const { orderId: theirs } = await second.friend.call(claimGift, { token: taken.token })
  const disputed = await dispute(open.shop, second.order.id)
  await expect(second.friend.call(claimGift, { token: left.token })).rejects.toMatchObject(refused(409))
  await expect(second.friend.call(revealCodes, await lineOf(second.friend, theirs))).rejects.toMatchObject(
    refused(409, 'disputed'),
  )
  await disputed.end('win')
  expect(await codesAt(second.friend, await lineOf(second.friend, theirs))).toHaveLength(1)
})

test('lets the giver refund at once only copies that nobody opened or claimed', async () => {
  const { giver, friend, order, line } = await bought({ quantity: 4 })
  const open1 = (person: Person, at: typeof line) => person.call(grantDownload, at)
  const { url } = await open1(giver, line)
  await fetch(open.shop.url + url, { headers: { cookie: giver.cookie } })
  const { link } = await giver.call(giveCopies, { ...line, quantity: 1, toName: 'Noor' })
  const waiting = await give(giver, line)
  const { orderId } = await friend.call(claimGift, { token: tokenIn(link) })
  expect(await giver.call(getRefundOffer, { id: order.id })).toMatchObject({
    lines: [{ quantity: 4, atOnce: 2, whyNot: 'used', claimed: { copies: 1, isOpened: false, names: ['Noor'] } }],
  })
  const take = (copies: number) =>
    giver.call(takeRefund, {
      ...{ id: order.id, lineIds: [line.lineId], copies: [{ id: line.lineId, copies }], reason: 'mistake', note: '' },
      total: `${copies}0.00`,
    })
  await expect(take(3)).rejects.toMatchObject(refused(409, 'not_at_once'))
  const taken = await take(2)
  expect(await take(2)).toEqual(taken)
  await runRefunds(open.shop)
  // opened and claimed copies are not refunded
  await open1(giver, line)
  await open1(friend, await lineOf(friend, orderId))
  await expect((await open.shop.join()).call(claimGift, { token: waiting.token })).rejects.toMatchObject(refused(409))
  expect(await giver.call(getOrder, { id: order.id })).toMatchObject({ lines: [{ refunded: 2, given: 1 }] })
  expect(await giver.call(getRefundOffer, { id: order.id })).toMatchObject({ lines: [{ atOnce: 0, returned: 2 }] })
  // staff can refund the remaining copies
  await giver.call(requestRefund, { id: order.id, lineIds: [line.lineId], reason: 'other', note: '' })
  expect(await giver.call(getOrder, { id: order.id })).toMatchObject({ lines: [{ refundRequest: { state: 'open' } }] })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test("revokes the buyer's copy when a refund leaves only claimed gifts", async () => {
  const { giver, friend, order, line } = await bought({ quantity: 2 })
  const { token } = await give(giver, line)
  const { orderId } = await friend.call(claimGift, { token })
  await refund(order, 1)
  await expect(giver.call(grantDownload, line)).rejects.toMatchObject(refused(404))
  await friend.call(grantDownload, await lineOf(friend, orderId))
})

/** Collects topics of a member's change feed until the test ends. */
async function follow({ cookie }: Person) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const { body } = await fetch(`${open.shop.url}/api/events`, { headers: { cookie }, signal: leaving.signal })
  const topics: string[] = []
  void (async () => {
    const text = new TextDecoder()
    for await (const chunk of body!)
      topics.push(...[...text.decode(chunk).matchAll(/^data: (.+)$/gm)].map(([, topic]) => topic!))
  })().catch(() => undefined)
  return topics
}

test.each([
  ['a refund', false, 'Its payment was refunded to Ada P. You paid nothing.'],
  ['a dispute', true, 'Ada P. disputed its payment and got the money back. You paid nothing.'],
])('notifies sender and recipient that %s revoked a claimed gift, with the reason', async (_, isDisputed, why) => {
  const { giver, friend, order, line } = await bought()
  const { gift, link } = await giver.call(giveCopies, { ...line, quantity: 1, toName: 'Noor' })
  const { orderId } = await friend.call(claimGift, { token: tokenIn(link) })
  const [theirs, own] = [await follow(friend), await follow(giver)]
  if (isDisputed) await (await dispute(open.shop, order.id)).end('lose')
  else await refund(order)
  await expect.poll(() => [theirs.includes('orders'), own.includes('orders')]).toEqual([true, true])
  expect(await friend.call(getOrder, { id: orderId })).toMatchObject({
    takenBack: { at: expect.stringMatching(/Z$/) as string, isDisputed },
    lines: [{ refunded: 1, delivery: null }],
  })
  expect(await giver.call(getOrder, { id: order.id })).toMatchObject({ takenBack: null })
  await run('tell_gift_ended', { giftId: gift.id })
  expect(await mailedText(open.shop, friend.email, 'Your gift from Ada P. was taken back')).toContain(why)
  if (!isDisputed)
    expect(await mailedText(open.shop, giver.email, `Refund of $10.00 for your order ${order.id.slice(-8)}`)).toContain(
      'Your gift to Noor, “A small book”, was taken back. We notified Noor.',
    )
})

test("refunds the buyer's own copies first, then waiting gifts, then claimed gifts", async () => {
  const { giver, friend, order, line } = await bought({ codes: codesOf(3), quantity: 3 })
  const [claimed, waiting] = [await give(giver, line), await give(giver, line)]
  const { orderId } = await friend.call(claimGift, { token: claimed.token })
  const states = async () =>
    (await giver.call(listGifts, line)).gifts.map(({ id, state }) => [
      id === claimed.gift.id ? 'claimed' : 'waiting',
      state,
    ])
  await refund(order, 1)
  expect((await states()).map(([, state]) => state).sort()).toEqual(['claimed', 'open'])
  await refund(order, 1)
  expect(await states()).toContainEqual(['waiting', 'ended'])
  expect(await codesAt(friend, await lineOf(friend, orderId))).toHaveLength(1)
  await expect(friend.call(claimGift, { token: waiting.token })).rejects.toMatchObject(refused(409, 'gift_over'))
  expect(await wrongBooks(open.shop)).toEqual([])
  await refund(order, 1)
  await expect(friend.call(revealCodes, await lineOf(friend, orderId))).rejects.toMatchObject(refused(404))
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('exports the gifts of both accounts, and deletes names and notes when either account is erased', async () => {
  const { giver, friend, line } = await bought()
  const toEmail = `${crypto.randomUUID()}@friends.example`
  const { link } = await giver.call(giveCopies, { ...line, quantity: 1, toName: 'Noor', toEmail, note: 'Hello' })
  await friend.call(claimGift, { token: tokenIn(link) })
  const dataOf = async ({ id }: Person) => JSON.stringify(await readMyData(open.shop.database.pool, id))
  expect(await dataOf(giver)).toContain(toEmail)
  const theirs = await dataOf(friend)
  expect(theirs).toContain('Hello')
  expect(theirs).not.toContain(giver.email)
  await db()
    .updateTable('users')
    .set({ eraseAt: new Date(0) })
    .where('id', '=', giver.id)
    .execute()
  await eraseDueAccounts(db())
  expect(
    await db()
      .selectFrom('gifts')
      .select(['toName', 'toEmail', 'note'])
      .where('toName', '=', 'Noor')
      .where('claimedBy', '=', friend.id)
      .execute(),
  ).toEqual([])
  // a claimed gift stays with its recipient
  expect(await friend.call(listLibrary, {})).toHaveLength(1)
})
