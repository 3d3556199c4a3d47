import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { createProduct } from '../../catalogue/catalogue.contract.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { supply } from '../../aftersale/supply/supply.server.ts'
import { lineOf } from '../../kit/handle.server.ts'
import { setLogLevel } from '../../kit/log/log.server.ts'
import { CHANGE_FEED_LINE } from '../../notifications/changeFeed.contract.ts'
import { giveCopies, lookAtGift } from '../gifts/gifts.contract.ts'
import { setSupply } from '../supply/supply.contract.ts'
import { revealCodes, setCodeUsed } from './codes.contract.ts'
import { getCodeStock } from './stock.contract.ts'
import { codesPath } from './stock.rules.ts'

const open = openShopForTests()

const CANARY = 'CANARY7QX2'
const PIN = 'PIN5582KW'

/** Returns the tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = open.shop.database
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`.execute(
    db,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await sql`SELECT FROM ${sql.table(name)} t WHERE t::text LIKE ${`%${text}%`} LIMIT 1`.execute(db)
    if (hits.rows.length > 0) found.push(name)
  }
  expect(rows.length).toBeGreaterThan(80)
  return found
}

test('never shows a code, its PIN, a supplier’s code or a gift link in another response, a log line or a table', async () => {
  const written: string[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  onTestFinished(() => {
    stdout.mockRestore()
    setLogLevel('silent')
  })
  setLogLevel('debug')
  const [seller, buyer, staff] = [
    await open.shop.join(),
    await open.shop.join(),
    await open.shop.join({ isAdmin: true }),
  ]
  const { id, price } = await seller.call(createProduct, {
    ...{ title: 'Card', description: null, price: '10.00', categoryId: 'gift-cards' },
  })
  const list = ['code,pin', ...[1, 2, 3].map((n) => `${CANARY}-${n}-ABCD,${PIN}-${n}`)].join('\n')
  const answers: [string, string][] = []
  const keep = async (what: string, answer: Response) => {
    const text = `${JSON.stringify([...answer.headers])} ${Buffer.from(await answer.arrayBuffer()).toString('latin1')}`
    answers.push([what, text])
  }
  const sent = { method: 'POST', headers: { cookie: seller.cookie, 'content-type': 'text/plain' } }
  await keep('preview', await fetch(`${open.shop.url}${codesPath(id)}?preview=true`, { ...sent, body: list }))
  await keep('added', await fetch(open.shop.url + codesPath(id), { ...sent, body: list }))
  await keep('known', await fetch(open.shop.url + codesPath(id), { ...sent, body: list }))
  const order = await buyMany(open.shop, buyer, [{ product: { id, price }, quantity: 2 }])
  const refunded = await buy(open.shop, buyer, { id, price })
  await runRefund(open.shop.checkout, (await refundOrder(open.shop.checkout, refunded.id, 'asked for')).id)
  const line = { id: order.id, lineId: order.lines[0]!.id }
  const { link, gift } = await buyer.call(giveCopies, { ...line, quantity: 1 })
  const [code] = (await buyer.call(revealCodes, line)).codes
  expect(code!.code).toContain(CANARY)
  expect(code!.pin).toContain(PIN)
  const token = link.split('/').at(-1)!
  const supplied = await addProduct(open.shop, { codes: [] })
  await staff.call(setSupply, { id: supplied.id, sku: 'CARD-10' })
  const later = await buy(open.shop, buyer, supplied)
  const laterLine = { id: later.id, lineId: later.lines[0]!.id }
  await supply(open.shop.supplying, laterLine.lineId)
  const fromSupplier = (await buyer.call(revealCodes, laterLine)).codes[0]!.code
  const secrets = [CANARY, PIN, token, fromSupplier]
  // anyone with the link may open it
  await (await fetch(link)).arrayBuffer()
  await open.shop.call(lookAtGift, { token })
  await buyer.call(setCodeUsed, { ...line, codeId: code!.id, isUsed: true })
  expect((await seller.call(getCodeStock, { id })).codes).toHaveLength(3)

  // sends every GET request with each possible id, as every person involved in the sale
  const ask = async (person: Person | null, path: string) =>
    keep(`${person?.email} ${path}`, await fetch(open.shop.url + path, { headers: { cookie: person?.cookie ?? '' } }))
  const reads = open.shop.routes.map(lineOf).filter((read) => read.startsWith('GET ') && read !== CHANGE_FEED_LINE)
  expect(reads.length).toBeGreaterThan(60)
  const paths = reads.flatMap((read) => {
    const path = read.slice('GET '.length)
    const fitting = /product/.test(path)
      ? [id]
      : /order/.test(path)
        ? [order.id, later.id]
        : [order.id, later.id, line.lineId, laterLine.lineId, gift.id, buyer.id]
    return path.includes(':') ? fitting.map((one) => path.replace(/:\w+/g, one)) : [path]
  })
  paths.push('/', `/orders/${order.id}`, `/product/${id}`, `/my-products/${id}`)
  for (const person of [buyer, seller, staff])
    for (let i = 0; i < paths.length; i += 8) await Promise.all(paths.slice(i, i + 8).map((path) => ask(person, path)))
  expect(answers.length).toBeGreaterThan(200)
  for (const secret of secrets) {
    expect(answers.filter(([, text]) => text.includes(secret)).map(([what]) => what)).toEqual([])
    expect(written.join('')).not.toContain(secret)
    expect(await tablesWith(secret)).toEqual([])
  }
  expect(written.join('').length).toBeGreaterThan(1000)
})
