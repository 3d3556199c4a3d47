import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { runRefunds } from '../../../test/order.ts'
import { openShopForTests, type Person, SECRET } from '../../../test/shop.ts'
import { createProduct, getProduct, listProducts, setProductFiles } from '../../catalogue/catalogue.contract.ts'
import { capturePayment, startPayment } from '../../checkout/checkout.contract.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { readReply } from '../../kit/call.ts'
import { changeKind, getOwnProduct, relistProduct } from '../../selling/selling.contract.ts'
import { upload } from '../../../test/served.ts'
import { claimGift, giveCopies } from '../gifts/gifts.contract.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { noteCopy, revealCodes, setCodeUsed } from './codes.contract.ts'
import { rotateCodes } from './rotate.server.ts'
import { CodeList, getCodeStock, MAX_CODES, putCodesBack, setLowStock, voidCodes } from './stock.contract.ts'
import { codesPath } from './stock.rules.ts'
import { openCodeVault } from './vault.server.ts'
import { endWait, getWait, startWait } from './waits.contract.ts'

const open = openShopForTests({}, { hasJobs: true })
const db = () => open.shop.database.db

async function send(
  { cookie }: Person,
  productId: string,
  list: string,
  { query = '', type = 'text/plain' } = {},
): Promise<CodeList> {
  const headers = { cookie, 'content-type': type }
  const answer = await fetch(`${open.shop.url}${codesPath(productId)}?${query}`, {
    method: 'POST',
    headers,
    body: list,
  })
  return CodeList.parse(await readReply(answer))
}

const NEW = { description: null, price: '10.00' }

async function sell(
  title = 'Tea card',
  categoryId = 'gift-cards',
): Promise<{ seller: Person; id: string; price: string }> {
  const seller = await open.shop.join()
  const { id, price } = await seller.call(createProduct, { ...NEW, title, categoryId })
  return { seller, id, price }
}

const shown = async (id: string) => {
  const titles = await open.shop.call(listProducts, { limit: 200 })
  return titles.some((product) => product.id === id)
}
const isOut = async (id: string) => (await open.shop.call(getProduct, { id })).isOutOfStock
const countsOf = async (seller: Person, id: string) => (await seller.call(getCodeStock, { id })).counts
const NONE = { free: 0, held: 0, sold: 0, void: 0, expired: 0 }
let serial = 0
const fresh = (count: number) => Array.from({ length: count }, () => `STOCK-${++serial}-XYZW`)

test('lists a gift card as soon as it has a code, and sells the code', async () => {
  const { seller, id } = await sell()
  expect(await seller.call(getOwnProduct, { id })).toMatchObject({ delivery: 'code', status: 'incomplete', stock: 0 })
  expect(await seller.call(getProduct, { id })).toMatchObject({
    isActive: false,
    isFileMissing: false,
    isOutOfStock: true,
    unlistedReason: expect.stringContaining('Add at least one code') as string,
  })
  // it never had a code, so shoppers do not see it
  await expect(open.shop.call(getProduct, { id })).rejects.toMatchObject({ status: 404 })
  expect(await send(seller, id, fresh(2).join('\n'))).toMatchObject({ fresh: 2 })
  expect(await shown(id)).toBe(true)
  expect(await seller.call(getOwnProduct, { id })).toMatchObject({ status: 'listed', stock: 2 })
})

test('lets the seller choose the kind until the first sale, and turns it into a file product when a file is uploaded', async () => {
  const { seller, id } = await sell('Book', 'ebooks')
  const other = await open.shop.join()
  await expect(other.call(changeKind, { id, delivery: 'code' })).rejects.toMatchObject({ status: 404 })
  await expect(send(seller, id, 'A')).rejects.toMatchObject({ status: 409, code: 'no_codes' })
  expect(await seller.call(changeKind, { id, delivery: 'code' })).toMatchObject({ delivery: 'code', isSold: false })
  await expect(seller.call(relistProduct, { id })).resolves.toMatchObject({ changed: [] })
  await send(seller, id, fresh(1).join())
  expect(await shown(id)).toBe(true)
  await buy(open.shop, other, { id, price: '10.00' })
  await expect(seller.call(changeKind, { id, delivery: 'file' })).rejects.toMatchObject({ status: 409, code: 'sold' })

  const given = await sell('Printed card')
  const digitalFileURL = await upload(open.shop, given.seller, Buffer.from('a card to print'), 'card.txt')
  const product = await given.seller.call(setProductFiles, { id: given.id, digitalFileURL })
  expect(product).toMatchObject({ isActive: true, isOutOfStock: false, file: { name: 'card.txt' } })
})

test('previews a list before adding it, and shows the lines that add nothing', async () => {
  const { seller, id } = await sell()
  const OWN = 'ELSEWHERE-1'
  const { id: elsewhere } = await seller.call(createProduct, { ...NEW, title: 'Other card', categoryId: 'gift-cards' })
  await send(seller, elsewhere, OWN)
  const list = ['NEW-1', '', 'NEW-2', ' NEW-1 ', OWN, 'x'.repeat(201), 'A\u0007'].join('\r\n')
  const held = {
    fresh: 2,
    counts: { repeated: 1, known: 1, empty: 1, long: 1, signs: 1, day: 0, pin: 0 },
    columns: [],
    problems: [
      { line: 2, why: 'empty' },
      { line: 4, why: 'repeated', before: 1 },
      { line: 5, why: 'known' },
      { line: 6, why: 'long' },
      { line: 7, why: 'signs' },
    ],
  }
  expect(await send(seller, id, list, { query: 'preview=true' })).toEqual(held)
  expect(await countsOf(seller, id)).toEqual(NONE)
  expect(await send(seller, id, list)).toEqual(held)
  expect(await send(seller, id, list)).toMatchObject({ fresh: 0, counts: { known: 3 } })
  expect(await countsOf(seller, id)).toEqual({ ...NONE, free: 2 })
  // a withdrawn code is not added again
  await seller.call(voidCodes, { id })
  expect(await send(seller, id, 'NEW-1')).toMatchObject({ fresh: 0, counts: { known: 1 } })
})

test('hides which lines are codes of another seller, and blocks a seller who lists several of them', async () => {
  const { seller, id } = await sell()
  const theirs = fresh(7)
  await addProduct(open.shop, { codes: theirs })
  const look = (count: number) =>
    send(seller, id, `${theirs.slice(0, count).join('\n')}\nMINE`, { query: 'preview=true' })
  expect(await look(5)).toMatchObject({ fresh: 1, counts: { known: 5 }, problems: [] })
  await expect(look(1)).rejects.toMatchObject({ status: 403, code: 'codes_of_others' })
  await expect(look(0)).rejects.toMatchObject({ status: 403, code: 'codes_of_others' })
})

test('sells a card with the PIN and the serial number of its list, and shows columns that are not imported', async () => {
  const { seller, id, price } = await sell()
  const list = 'code,pin,serial,batch\nPINCARD-0001,0471,S1,b\nPINCARD-0002,,S2,b\n'
  const columns = [
    { name: 'code', as: 'code' },
    { name: 'pin', as: 'pin' },
    { name: 'serial', as: 'serial' },
    { name: 'batch', as: null },
  ]
  const held = { fresh: 1, columns, problems: [{ line: 3, why: 'pin' }] }
  expect(await send(seller, id, list, { type: 'text/csv', query: 'preview=true' })).toMatchObject(held)
  expect(await send(seller, id, list, { type: 'text/csv' })).toMatchObject(held)
  // the same number with another PIN is the same card
  expect(await send(seller, id, 'code,pin\nPINCARD-0001,9999', { type: 'text/csv' })).toMatchObject({ fresh: 0 })
  expect((await seller.call(getCodeStock, { id })).codes).toMatchObject([
    { mask: '•••• 0001', hasPin: true, hasSerial: true },
  ])
  await rotateCodes(db(), openCodeVault('another secret of the codes, 32 characters', SECRET))
  await rotateCodes(db(), openCodeVault(SECRET, 'another secret of the codes, 32 characters'))
  const [giver, friend] = [await open.shop.join(), await open.shop.join()]
  const order = await buy(open.shop, giver, { id, price })
  const { link } = await giver.call(giveCopies, { id: order.id, lineId: order.lines[0]!.id, quantity: 1 })
  const { orderId } = await friend.call(claimGift, { token: link.split('/').at(-1)! })
  const [line] = (await friend.call(getOrder, { id: orderId })).lines
  expect((await friend.call(revealCodes, { id: orderId, lineId: line!.id })).codes).toMatchObject([
    { code: 'PINCARD-0001', pin: '0471', serial: 'S1' },
  ])
})

test('rejects lists of others, lists with too many lines, and binary files', async () => {
  const { seller, id } = await sell()
  const other = await open.shop.join()
  await expect(send(other, id, 'A')).rejects.toMatchObject({ status: 404 })
  await expect(other.call(getCodeStock, { id })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(voidCodes, { id })).rejects.toMatchObject({ status: 404 })
  await expect(send(seller, 'nothing', 'A')).rejects.toMatchObject({ status: 404 })
  await expect(send(seller, id, '\n'.repeat(MAX_CODES + 2))).rejects.toMatchObject({ status: 413, code: 'too_many' })
  await expect(send(seller, id, 'A', { query: 'expires=2020-01-01' })).rejects.toMatchObject({ status: 400 })
  const headers = { cookie: seller.cookie, 'content-type': 'text/plain' }
  const bytes = Buffer.from([0xff, 0xfe, 0x41])
  const answer = await fetch(open.shop.url + codesPath(id), { method: 'POST', headers, body: bytes })
  expect(answer.status).toBe(400)
})

test('sells the oldest code first, and no expired code', async () => {
  const { seller, id, price } = await sell()
  await send(seller, id, 'code,expires\nOLD-EXPIRING-1,2099-01-31\n', { type: 'text/csv' })
  const [first, second] = fresh(2)
  for (const code of [first!, second!]) await send(seller, id, code, { query: 'expires=2099-12-31' })
  const { codes } = await seller.call(getCodeStock, { id })
  expect(codes.map(({ expiresAt }) => expiresAt?.slice(0, 10))).toEqual(['2100-01-01', '2100-01-01', '2099-02-01'])
  expect(codes.map(({ mask }) => mask)).toEqual(['•••• XYZW', '•••• XYZW', '•••• NG-1'])
  await sql`UPDATE codes SET expires_at = now() - interval '1 second'
    WHERE product_id = ${id}::uuid AND expires_at < '2100-01-01'`.execute(db())
  const buyer = await open.shop.join()
  const order = await buy(open.shop, buyer, { id, price })
  const bought = await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  expect(bought.codes.map(({ code }) => code)).toEqual([first])
  expect(await countsOf(seller, id)).toEqual({ ...NONE, free: 1, sold: 1, expired: 1 })
  const { codes: expired } = await seller.call(getCodeStock, { id, state: 'expired' })
  expect(expired).toMatchObject([{ mask: '•••• NG-1', state: 'expired' }])
})

test('unlists a product with its last code, relists it with a new one, and notifies waiting members once', async () => {
  const { seller, id, price } = await sell('Cinema card')
  await send(seller, id, fresh(1).join())
  const [buyer, ada, bob] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  await expect(ada.call(startWait, { id })).rejects.toMatchObject({ status: 409, code: 'in_stock' })
  const order = await buy(open.shop, buyer, { id, price })
  await expect.poll(() => isOut(id), { timeout: 10_000 }).toBe(true)
  expect(await shown(id)).toBe(false)
  expect(await seller.call(getOwnProduct, { id })).toMatchObject({ status: 'incomplete' })
  await expect(buyer.call(startPayment, { ...ONE, items: [{ productId: id, quantity: 1 }] })).rejects.toMatchObject({
    status: 409,
  })
  expect(await ada.call(startWait, { id })).toEqual({ isWaiting: true })
  await bob.call(startWait, { id })
  await bob.call(endWait, { id })
  expect(await ada.call(getWait, { id })).toEqual({ isWaiting: true })
  await send(seller, id, fresh(1).join())
  await expect.poll(() => shown(id), { timeout: 10_000 }).toBe(true)
  const mails = () =>
    db().selectFrom('mails').select(['recipient', 'subject']).where('key', 'like', `restocked:${id}:%`).execute()
  await expect
    .poll(mails, { timeout: 10_000 })
    .toEqual([{ recipient: ada.email, subject: '“Cinema card” is back in stock' }])
  expect(await ada.call(getWait, { id })).toEqual({ isWaiting: false })
  const refund = await refundOrder(open.shop.checkout, order.id, 'asked for')
  await runRefund(open.shop.checkout, refund.id)
  expect(await countsOf(seller, id)).toEqual({ ...NONE, free: 2 })
})

const ONE = { amount: '10.00', currency: 'USD', intent: 'capture' } as const

test('releases the code of a payment that ends without money', async () => {
  const { seller, id } = await sell()
  await send(seller, id, fresh(1).join())
  const buyer = await open.shop.join()
  const { id: ref } = await buyer.call(startPayment, { ...ONE, items: [{ productId: id, quantity: 1 }] })
  await provider(open.shop).decline(ref)
  expect(await buyer.call(capturePayment, { id: ref })).toMatchObject({ status: 'DECLINED' })
  expect(await countsOf(seller, id)).toEqual({ ...NONE, free: 1 })
  await expect.poll(() => shown(id), { timeout: 10_000 }).toBe(true)
})

test('withdraws one free code or all of them, but no sold code', async () => {
  const { seller, id, price } = await sell()
  await send(seller, id, fresh(4).join('\n'))
  const buyer = await open.shop.join()
  await buy(open.shop, buyer, { id, price })
  const { codes } = await seller.call(getCodeStock, { id })
  const sold = codes.find(({ state }) => state === 'sold')!
  expect(await seller.call(voidCodes, { id, codeId: sold.id })).toEqual({ voided: 0 })
  expect(await seller.call(voidCodes, { id, codeId: codes[0]!.id })).toEqual({ voided: 1 })
  expect(await shown(id)).toBe(true)
  expect(await seller.call(voidCodes, { id })).toEqual({ voided: 2 })
  expect(await countsOf(seller, id)).toEqual({ ...NONE, sold: 1, void: 3 })
  expect(await shown(id)).toBe(false)
  expect(await seller.call(setLowStock, { id, lowAt: 20 })).toEqual({ lowAt: 20 })
  expect(await seller.call(getCodeStock, { id })).toMatchObject({ lowAt: 20 })
})

test('returns withdrawn codes to the stock, except revealed codes', async () => {
  const { seller, id, price } = await sell()
  await send(seller, id, fresh(4).join('\n'))
  const [buyer, other] = [await open.shop.join(), await open.shop.join()]
  const order = await buy(open.shop, buyer, { id, price })
  await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  await refundOrder(open.shop.checkout, order.id, 'asked for', undefined, { isCodeSeen: true })
  await runRefunds(open.shop)
  await seller.call(voidCodes, { id })
  const stock = await seller.call(getCodeStock, { id })
  expect(stock).toMatchObject({ counts: { ...NONE, void: 4 }, returnable: 3 })
  const seen = stock.codes.find(({ canReturn }) => !canReturn)!
  expect(stock.codes.filter(({ canReturn }) => !canReturn)).toHaveLength(1)
  await expect(other.call(putCodesBack, { id })).rejects.toMatchObject({ status: 404 })
  expect(await seller.call(putCodesBack, { id, codeId: seen.id })).toEqual({ returned: 0 })
  const unseen = stock.codes.find(({ canReturn }) => canReturn)!
  expect(await seller.call(putCodesBack, { id, codeId: unseen.id })).toEqual({ returned: 1 })
  expect(await shown(id)).toBe(true)
  expect(await seller.call(putCodesBack, { id })).toEqual({ returned: 2 })
  expect(await countsOf(seller, id)).toEqual({ ...NONE, free: 3, void: 1 })
})

test('does not return a withdrawn code to the stock that no secret of the shop can decrypt', async () => {
  const { seller, id } = await sell()
  await send(seller, id, fresh(1).join())
  await db()
    .updateTable('codes')
    .set(openCodeVault('a secret that the shop has lost, 32 chars').seal('GONE-1'))
    .where('productId', '=', id)
    .execute()
  await seller.call(voidCodes, { id })
  expect(await seller.call(getCodeStock, { id })).toMatchObject({ returnable: 0, codes: [{ mask: '••••' }] })
  expect(await seller.call(putCodesBack, { id })).toEqual({ returned: 0 })
  // tests that rotate the secret decrypt every code, so delete this one
  await db().deleteFrom('codes').where('productId', '=', id).execute()
})

test('records each reveal and copy, and stores the note that a code is used', async () => {
  const { seller, id, price } = await sell()
  await send(seller, id, fresh(1).join())
  const [buyer, other] = [await open.shop.join(), await open.shop.join()]
  const order = await buy(open.shop, buyer, { id, price })
  const line = { id: order.id, lineId: order.lines[0]!.id }
  const [code] = (await buyer.call(revealCodes, line)).codes
  const one = { ...line, codeId: code!.id }
  expect(await buyer.call(noteCopy, one)).toEqual({ isNoted: true })
  expect(await buyer.call(setCodeUsed, { ...one, isUsed: true })).toEqual({ isUsed: true })
  expect((await buyer.call(revealCodes, line)).codes).toEqual([{ ...code, isUsed: true }])
  await expect(other.call(noteCopy, one)).rejects.toMatchObject({ status: 404 })
  await expect(other.call(setCodeUsed, { ...one, isUsed: false })).rejects.toMatchObject({ status: 404 })
  const unknown = { ...one, codeId: crypto.randomUUID() }
  await expect(buyer.call(noteCopy, unknown)).rejects.toMatchObject({ status: 404 })
  await expect(buyer.call(setCodeUsed, { ...unknown, isUsed: true })).rejects.toMatchObject({ status: 404 })
  const events = await db()
    .selectFrom('deliveryEvents')
    .select('kind')
    .where('userId', '=', buyer.id)
    .orderBy('id')
    .execute()
  expect(events.map(({ kind }) => kind)).toEqual(['reveal', 'copy', 'reveal'])
})

test('decrypts codes with a former secret, and re-encrypts all codes with the new one', async () => {
  const { seller, id } = await sell()
  const texts = fresh(3)
  // separate lists, because codes of one list have no order
  for (const text of texts) await send(seller, id, text)
  const NEXT = 'another secret of the codes, 32 characters'
  const vault = openCodeVault(NEXT, SECRET)
  const rows = () => db().selectFrom('codes').selectAll().where('productId', '=', id).orderBy('position').execute()
  const openAll = async (by = vault) => (await rows()).map((row) => by.open(row).code)
  expect(await openAll()).toEqual(texts)
  const before = await rows()
  expect(() => openCodeVault(NEXT).open(before[0]!)).toThrow('secret')
  // the new secret also finds duplicates of codes encrypted with the former one
  expect(vault.fingerprints(texts[0]!)).toContain(before[0]!.fingerprint)
  await rotateCodes(db(), vault)
  expect(await openAll(openCodeVault(NEXT))).toEqual(texts)
  expect((await rows())[0]!.fingerprint).toBe(vault.fingerprints(texts[0]!)[0])
  expect(await rotateCodes(db(), vault)).toBe(0)
  // restores the secret for the other tests
  await rotateCodes(db(), openCodeVault(SECRET, NEXT))
  expect(await openAll(openCodeVault(SECRET))).toEqual(texts)
})

test('preserves PIN and serial number when the secret is rotated', async () => {
  const { seller, id, price } = await sell()
  const [code] = fresh(1)
  const card = { code: code!, pin: '0471', serial: 'S-1' }
  await send(seller, id, `code,pin,serial\n${code},0471,S-1`, { type: 'text/csv' })
  const row = () => db().selectFrom('codes').selectAll().where('productId', '=', id).executeTakeFirstOrThrow()
  const before = await row()
  const NEXT = 'another secret of the codes, 32 characters'
  expect(() => openCodeVault(NEXT).open(before)).toThrow('secret')
  await rotateCodes(db(), openCodeVault(NEXT, SECRET))
  expect(openCodeVault(NEXT).open(await row())).toEqual(card)
  expect((await row()).fingerprint).toBe(openCodeVault(NEXT).fingerprints(code!)[0])
  await rotateCodes(db(), openCodeVault(SECRET, NEXT))
  const buyer = await open.shop.join()
  const order = await buy(open.shop, buyer, { id, price })
  const shownCodes = (await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })).codes
  expect(shownCodes).toMatchObject([card])
})
