import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { buy } from '../../../test/buy.ts'
import { give } from '../../../test/credit.ts'
import { provider } from '../../../test/provider.ts'
import { readTaggedPdf } from '../../../test/taggedPdf.ts'
import { openShopForTests, openTestShop, type Person, type TestShop } from '../../../test/shop.ts'
import { capturePayment, placeOrder, startPayment } from '../../checkout/checkout.contract.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { closeDatabase, inTransaction, openDatabase } from '../../kit/database.server.ts'
import { readConfig } from '../../app/settings.server.ts'
import { findViolations } from '../../audit/faults.server.ts'
import {
  correctInvoice,
  getInvoices,
  type IssuedInvoice,
  issueInvoice,
  saveInvoiceDetails,
} from './invoices.contract.ts'
import { toInvoicePdf } from './invoice.pdf.server.ts'
import { type InvoiceData, invoiceFile } from './invoice.rules.ts'
import { attachInvoices } from './invoices.server.ts'
import { issueInvoice as issueIn } from './invoices.store.server.ts'

const COMPANY = {
  COMPANY_NAME: 'Primo Goods Ltd',
  COMPANY_ADDRESS: '1 Harbour Street | 20457 Hamburg',
  COMPANY_VAT_ID: 'DE 136 695 976',
}
const open = openShopForTests({ BONUS_PERCENT: '0', DATABASE_POOL: '20', ...COMPANY })
const config = readConfig({ NODE_ENV: 'test', ...COMPANY })
const YEAR = new Date().getUTCFullYear()

const NONE = { company: '', address: '', vatId: '', isAttached: false }
const ACME = { company: 'Acme Ελλάδα', address: 'ул. Ленина 1\n10115 Łódź', vatId: 'de 136 695 976', isAttached: true }

async function bought(shop: TestShop = open.shop, title = 'Night Trains') {
  const buyer = await shop.join({ firstName: 'Bea' })
  const order = await buy(shop, buyer, await addProduct(shop, { title }))
  return { buyer, order }
}

async function buyWithCredit(buyer: Person, credit: string) {
  const items = [{ productId: (await addProduct(open.shop)).id, quantity: 1 }]
  const { id } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture', items, credit })
  await provider(open.shop).approve(id)
  return (await buyer.call(capturePayment, { id })).order
}

async function refund(shop: TestShop, orderId: string, cents?: number) {
  const { id } = await refundOrder(shop.checkout, orderId, 'asked for', cents)
  await runRefund(shop.checkout, id)
  return id
}

async function download(buyer: Person, orderId: string, { id }: Pick<IssuedInvoice, 'id'>) {
  const answer = await fetch(open.shop.url + invoiceFile(orderId, id), { headers: { cookie: buyer.cookie } })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const issue = (buyer: Person, id: string, refundId?: string) =>
  buyer.call(issueInvoice, { id, ...(refundId && { refundId }) })

const numbersOf = async (shop: TestShop, kind: string) => {
  const { rows } = await shop.database.pool.query<{ number: number }>(
    `SELECT number FROM invoices WHERE kind = $1 AND year = $2 ORDER BY number`,
    [kind, YEAR],
  )
  return rows.map(({ number }) => number)
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

/** Inserts `count` copies of a paid order. */
async function copyOrder(shop: TestShop, id: string, count: number): Promise<string[]> {
  const { rows } = await shop.database.pool.query<{ id: string }>(
    `WITH made AS (
      INSERT INTO orders (user_id, checkout_key, request_hash, status, source, total_cents, payment_method, expires_at, completed_at)
      SELECT user_id, 'copy ' || n, request_hash, status, source, total_cents, payment_method, expires_at, completed_at
      FROM orders, generate_series(1, $2::int) n WHERE id = $1 RETURNING id),
    lines AS (
      INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
      SELECT made.id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id
      FROM made, order_lines l WHERE l.order_id = $1),
    paid AS (
      INSERT INTO payments (order_id, provider, mode, status, amount_cents, provider_order_id, provider_capture_id)
      SELECT made.id, provider, mode, status, amount_cents, made.id, made.id FROM made, payments p WHERE p.order_id = $1)
    SELECT id FROM made`,
    [id, count],
  )
  return rows.map((row) => row.id)
}

const brokenRules = (shop: TestShop) => findViolations(shop.database.pool, ['INVOICES'])

test('issues one invoice of a paid order at the first download and never changes it', async () => {
  const { buyer, order } = await bought()
  expect(await buyer.call(getInvoices, { id: order.id })).toEqual({
    ...{ details: NONE, documents: [], refunds: [], canCorrect: false },
  })
  expect(await buyer.call(saveInvoiceDetails, ACME)).toEqual({ ...ACME, vatId: 'DE136695976' })
  const invoice = await issue(buyer, order.id)
  expect(invoice).toMatchObject({ kind: 'invoice', total: '10.00', isCanceled: false, refundId: null })
  expect(invoice.number).toMatch(new RegExp(`^INV-${YEAR}-\\d{6}$`))
  const first = await download(buyer, order.id, invoice)
  expect(first.answer.headers.get('content-disposition')).toBe(`attachment; filename="${invoice.number}.pdf"`)
  expect(first.answer.headers.get('cache-control')).toBe('private, no-store')
  const { problems, text, tags } = readTaggedPdf(first.bytes)
  expect(problems).toEqual([])
  const words = text.join('\n')
  for (const part of [
    ...[`Invoice ${invoice.number}`, 'Primo Goods Ltd', '1 Harbour Street', '20457 Hamburg', 'VAT ID: DE136695976'],
    ...['Acme Ελλάδα', 'Bea Person', 'ул. Ленина 1', '10115 Łódź', buyer.email, 'Night Trains', 'Sold by Sally P.'],
    ...['$10.00', order.id, 'with PayPal', 'The form of the buyer’s VAT ID was checked, not its registration.'],
  ])
    expect(words).toContain(part)
  expect(tags).toContain('Document/Table/THead/TR/TH')
  await buyer.call(saveInvoiceDetails, { ...ACME, company: 'Another' })
  expect(await issue(buyer, order.id)).toEqual(invoice)
  expect((await download(buyer, order.id, invoice)).bytes.equals(first.bytes)).toBe(true)
  const { pool } = open.shop.database
  await expect(pool.query(`UPDATE invoices SET data = '{}' WHERE id = $1`, [invoice.id])).rejects.toThrow('append only')
  await expect(pool.query('DELETE FROM invoices WHERE id = $1', [invoice.id])).rejects.toThrow('append only')
})

test('the database rejects a credit note for the invoice of another order', async () => {
  const [first, second] = [await bought(), await bought()]
  const invoice = await issue(first.buyer, first.order.id)
  const copied = open.shop.database.pool.query(
    `INSERT INTO invoices (kind, order_id, year, number, label, invoice_id, total_cents, data, issued_at)
    SELECT 'credit_note', $2, 1999, 1, 'CN-1999-000001', id, total_cents, data, issued_at FROM invoices WHERE id = $1`,
    [invoice.id, second.order.id],
  )
  await expect(copied).rejects.toThrow('violates foreign key constraint')
})

test('shows the total, the store credit and the paid amount on an invoice', async () => {
  const buyer = await open.shop.join()
  await give(open.shop, buyer, 400)
  const order = await buyWithCredit(buyer, '4.00')
  expect(order.credit).toBe('4.00')
  const words = readTaggedPdf((await download(buyer, order.id, await issue(buyer, order.id))).bytes).text.join('\n')
  for (const part of ['Total', '$10.00', 'Store credit', '−$4.00', 'Paid', '$6.00', 'with PayPal and Store credit'])
    expect(words).toContain(part)
})

test('issues one credit note for each refund', async () => {
  const { buyer, order } = await bought()
  const first = await refund(open.shop, order.id, 300)
  expect((await buyer.call(getInvoices, { id: order.id })).refunds).toMatchObject([{ id: first, amount: '3.00' }])
  const note = await issue(buyer, order.id, first)
  expect(note).toMatchObject({ kind: 'credit_note', total: '3.00', refundId: first })
  expect(await issue(buyer, order.id, first)).toEqual(note)
  const second = await refund(open.shop, order.id)
  const last = await issue(buyer, order.id, second)
  expect(last.total).toBe('7.00')
  const { documents, refunds, canCorrect } = await buyer.call(getInvoices, { id: order.id })
  expect([documents.map(({ kind }) => kind), refunds, canCorrect]).toEqual([
    ['invoice', 'credit_note', 'credit_note'],
    [],
    false,
  ])
  const { problems, text } = readTaggedPdf((await download(buyer, order.id, note)).bytes)
  expect(problems).toEqual([])
  expect(text.join('\n')).toContain(`Credits a refund of invoice ${documents[0]!.number}`)
  expect(Number(last.number.slice(-6))).toBe(Number(note.number.slice(-6)) + 1)
  await expect(buyer.call(correctInvoice, { id: order.id })).rejects.toMatchObject({
    ...{ status: 409, code: 'invoice_refunded' },
  })
  expect(await brokenRules(open.shop)).toEqual([])
})

test('includes store credit in the credit note of a full refund', async () => {
  const buyer = await open.shop.join()
  await give(open.shop, buyer, 400)
  const order = await buyWithCredit(buyer, '4.00')
  const id = await refund(open.shop, order.id)
  expect((await issue(buyer, order.id, id)).total).toBe('10.00')
  await give(open.shop, buyer, 600)
  // the order costs the returned credit and this credit
  const product = await addProduct(open.shop)
  const covered = await buyer.call(placeOrder, {
    items: [{ productId: product.id, quantity: 1, price: '10.00' }],
    ...{ total: '10.00', paymentMethod: 'paypal', paymentId: crypto.randomUUID(), source: 'product' },
  })
  expect(covered.status).toBe('completed')
  const back = await refund(open.shop, covered.id)
  expect((await issue(buyer, covered.id, back)).total).toBe('10.00')
  expect(await brokenRules(open.shop)).toEqual([])
})

test('includes the returned store credit in the credit note of a refund by line', async () => {
  const buyer = await open.shop.join()
  await give(open.shop, buyer, 400)
  const order = await buyWithCredit(buyer, '4.00')
  const made = async (amount: number, credit: number) => {
    const { rows } = await open.shop.database.pool.query<{ id: string }>(
      `INSERT INTO refunds (payment_id, status, amount_cents, credit_cents, reason)
       SELECT id, 'completed', $1, $2, 'planted' FROM payments WHERE order_id = $3 RETURNING id`,
      [amount, credit, order.id],
    )
    return rows[0]!.id
  }
  expect((await issue(buyer, order.id, await made(0, 100))).total).toBe('1.00')
  expect((await issue(buyer, order.id, await made(200, 50))).total).toBe('2.50')
})

test('corrects details with a credit note and a new invoice, at most five times', async () => {
  const { buyer, order } = await bought()
  const wrong = await issue(buyer, order.id)
  await buyer.call(saveInvoiceDetails, ACME)
  const right = await buyer.call(correctInvoice, { id: order.id })
  expect(right.number).not.toBe(wrong.number)
  const { documents, canCorrect } = await buyer.call(getInvoices, { id: order.id })
  expect(documents.map(({ kind, isCanceled }) => `${kind} ${isCanceled}`)).toEqual([
    ...['invoice true', 'credit_note false', 'invoice false'],
  ])
  expect(canCorrect).toBe(true)
  const text = async (one: IssuedInvoice) => readTaggedPdf((await download(buyer, order.id, one)).bytes).text.join('\n')
  expect(await text(documents[0]!)).not.toContain('Acme')
  expect(await text(documents[1]!)).toContain(`Cancels invoice ${wrong.number}`)
  expect(await text(documents[2]!)).toContain('Acme')
  for (let i = 0; i < 4; i++) await buyer.call(correctInvoice, { id: order.id })
  await expect(buyer.call(correctInvoice, { id: order.id })).rejects.toMatchObject({ code: 'too_many_corrections' })
  expect(await brokenRules(open.shop)).toEqual([])
})

test('rejects unpaid orders, orders of other buyers and invalid details', async () => {
  const { buyer, order } = await bought()
  const stranger = await open.shop.join()
  const invoice = await issue(buyer, order.id)
  for (const ask of [getInvoices, issueInvoice, correctInvoice] as const)
    await expect(stranger.call(ask, { id: order.id })).rejects.toMatchObject({ status: 404 })
  expect((await download(stranger, order.id, invoice)).answer.status).toBe(404)
  expect((await download(buyer, order.id, { id: crypto.randomUUID() })).answer.status).toBe(404)
  expect((await download(buyer, 'x', invoice)).answer.status).toBe(404)
  await expect(issue(buyer, order.id, crypto.randomUUID())).rejects.toMatchObject({ status: 404 })
  const product = await addProduct(open.shop)
  const unpaid = await stranger.call(placeOrder, {
    items: [{ productId: product.id, quantity: 1, price: '10.00' }],
    ...{ total: '10.00', paymentMethod: 'paypal', paymentId: crypto.randomUUID(), source: 'product' },
  })
  expect(unpaid.status).toBe('pending')
  for (const ask of [getInvoices, issueInvoice, correctInvoice] as const)
    await expect(stranger.call(ask, { id: unpaid.id })).rejects.toMatchObject({ status: 409, code: 'not_paid' })
  for (const wrong of [{ vatId: 'DE12' }, { company: 'x'.repeat(121) }, { address: 'x'.repeat(301) }])
    await expect(buyer.call(saveInvoiceDetails, { ...NONE, ...wrong })).rejects.toMatchObject({ status: 400 })
})

test(
  'numbers concurrent invoices of two nodes without a gap and issues one for ten requests',
  { timeout: 60_000 },
  async () => {
    const shop = await openTestShop({ BONUS_PERCENT: '0', DATABASE_POOL: '20' })
    onTestFinished(() => shop.close())
    const { buyer, order } = await bought(shop)
    const orders = [order.id, ...(await copyOrder(shop, order.id, 49))]
    const node = openDatabase(shop.shopUrl, { size: 10 })
    onTestFinished(() => closeDatabase(node))
    await Promise.all(
      orders.map((id, i) =>
        inTransaction(i % 2 === 0 ? shop.database.db : node.db, async (tx) => {
          await issueIn(tx, config, id, buyer.id)
          // every fifth transaction fails after it takes its number
          if (i % 5 === 0) throw new Error('planted')
        }).catch((error: Error) => expect(error.message).toBe('planted')),
      ),
    )
    expect(await numbersOf(shop, 'invoice')).toEqual(upTo(40))
    const ten = await Promise.all(Array.from({ length: 10 }, () => issue(buyer, order.id)))
    expect(new Set(ten.map(({ number }) => number)).size).toBe(1)
    expect(await numbersOf(shop, 'invoice')).toEqual(upTo(41))
    const { rows } = await shop.database.pool.query<{ isOrdered: boolean }>(
      `SELECT bool_and(issued_at >= before) AS "isOrdered" FROM (
      SELECT issued_at, lag(issued_at, 1, issued_at) OVER (ORDER BY number) AS before FROM invoices WHERE kind = 'invoice') step`,
    )
    expect(rows[0]!.isOrdered).toBe(true)
    expect(await brokenRules(shop)).toEqual([])
  },
)

test('reuses the number of a connection that is killed before its commit', async () => {
  const shop = await openTestShop({ BONUS_PERCENT: '0' })
  onTestFinished(() => shop.close())
  const [one, two] = [await bought(shop), await bought(shop)]
  const killed = inTransaction(shop.database.db, async (tx) => {
    await issueIn(tx, config, one.order.id, one.buyer.id)
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
    await shop.asOwner(`SELECT pg_terminate_backend(${rows[0]!.pid})`)
    await tx.selectFrom('orders').select('id').execute()
  })
  await expect(killed).rejects.toThrow()
  expect((await issue(two.buyer, two.order.id)).number).toBe(`INV-${YEAR}-000001`)
  expect((await issue(one.buyer, one.order.id)).number).toBe(`INV-${YEAR}-000002`)
})

test('restarts a series each year and ignores a clock that goes back', async () => {
  const shop = await openTestShop({ BONUS_PERCENT: '0', INVOICE_PREFIX: 'R', CREDIT_NOTE_PREFIX: 'G' })
  onTestFinished(() => shop.close())
  const orders = [await bought(shop), await bought(shop), await bought(shop)]
  const set = (at: string) =>
    shop.asOwner(
      `UPDATE invoice_series SET year = extract(year FROM timestamptz '${at}' AT TIME ZONE 'UTC'), last_number = 7, last_at = '${at}' WHERE kind = 'invoice'`,
    )
  await set('2025-12-31T23:59:59Z')
  expect((await issue(orders[0]!.buyer, orders[0]!.order.id)).number).toBe(`R-${YEAR}-000001`)
  await set(`${YEAR + 1}-01-01T00:00:05Z`)
  const late = await issue(orders[1]!.buyer, orders[1]!.order.id)
  expect([late.number, late.issuedAt]).toEqual([`R-${YEAR + 1}-000008`, `${YEAR + 1}-01-01T00:00:05.000Z`])
})

test('attaches the invoice to the receipt and the credit note to the refund when the buyer wants them', async () => {
  const { buyer, order } = await bought()
  const attach = attachInvoices(open.shop.database.db, config)
  expect(await attach({ key: `receipt:${order.id}` })).toEqual([])
  await buyer.call(saveInvoiceDetails, ACME)
  const [invoice] = await attach({ key: `receipt:${order.id}` })
  expect(invoice).toMatchObject({ contentType: 'application/pdf', filename: expect.stringMatching(/^INV-/) })
  expect(readTaggedPdf(invoice!.content).problems).toEqual([])
  const id = await refund(open.shop, order.id, 100)
  expect(await attach({ key: `refund:${id}` })).toMatchObject([{ filename: expect.stringMatching(/^CN-/) }])
  for (const key of [
    `held:${order.id}`,
    'receipt:x',
    `receipt:${crypto.randomUUID()}`,
    `refund:${crypto.randomUUID()}`,
  ])
    expect(await attach({ key })).toEqual([])
})

const data = (change: Partial<InvoiceData>): InvoiceData => ({
  kind: 'invoice',
  number: 'INV-2026-000001',
  issuedAt: '2026-11-23T10:00:00.000Z',
  orderId: crypto.randomUUID(),
  storeName: 'Tom & <Jerry>',
  seller: { name: 'Tom & <Jerry>', lines: [], vatId: null },
  buyer: { name: 'Bea', lines: [], vatId: null, email: 'bea@mail.example' },
  paidAt: '2026-11-22T10:00:00.000Z',
  method: 'Store credit',
  reference: null,
  lines: [],
  discounts: [{ code: 'QUIETWEEK', amountCents: 50 }],
  creditCents: 0,
  totalCents: 100,
  corrects: null,
  ...change,
})

test('renders 200 lines as a tagged table and marks letters that the fonts lack', async () => {
  const lines = Array.from({ length: 200 }, (_, i) => ({
    ...{
      title: `雨 𐎀 Títle ${i} ${'long words '.repeat(i % 12)}`,
      seller: 'Șerban',
      quantity: 9999,
      priceCents: 99_999,
    },
  }))
  const { problems, text, tags } = readTaggedPdf(await toInvoicePdf(data({ lines }), null))
  expect(problems).toEqual([])
  const words = text.join('\n')
  expect(words).toContain('雨 ? Títle 199')
  expect(words).toContain('Șerban')
  expect(words).toContain('shown as a question mark')
  expect(words).toContain('Discount QUIETWEEK')
  expect(tags.filter((tag) => tag.endsWith('/TR'))).toHaveLength(1 + 200 + 3)
  expect(tags.filter((tag) => tag.endsWith('/TH'))).toHaveLength(4)
})

test('the test helper for tagged PDFs reports each defect', async () => {
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({ compress: false })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  pdf.text('Loose words')
  pdf.end()
  await new Promise((resolve) => pdf.once('end', resolve))
  expect(readTaggedPdf(Buffer.concat(chunks)).problems).toEqual(
    expect.arrayContaining(['the version is not 1.7', 'MarkInfo does not say that it is marked', 'no structure tree']),
  )
  const good = (await toInvoicePdf(data({}), null)).toString('latin1')
  const broken = (from: RegExp, to: (text: string) => string) =>
    readTaggedPdf(Buffer.from(good.replace(from, to), 'latin1')).problems
  const same = (text: string) => (word: string) => text.padEnd(word.length)
  expect(broken(/\/Scope \/Column/, same('/Scop_ /Column'))).toContain('a TH has no scope')
  expect(broken(/\/S \/H1/, same('/S /H3'))).toContain('the first heading is not H1')
  expect(broken(/\/Marked true/, same('/Marked null'))).toContain('MarkInfo does not say that it is marked')
  expect(broken(/\/DisplayDocTitle true/, same('/DisplayDocTitle null'))).toContain('the title is not displayed')
  expect(broken(/<pdfuaid:part>1/, same('<pdfuaid:part>9'))).toContain('the metadata do not name PDF/UA')
  expect(broken(/\/FontFile2 /, same('/FontFileX '))).toContainEqual(expect.stringContaining('is not embedded'))
  expect(broken(/\/S \/TR/, same('/S /P'))).not.toEqual([])
})
