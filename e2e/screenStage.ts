import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { openAs, type PictureThings, type State } from './screens.ts'
import { demoAccount, type DemoRole, expect, fillCart, findProduct } from './shop.ts'

// The demo store as docs/screens/ shows it: a shopper with goods and a cart, a seller with sales, staff with open work.

export type PictureStage = { states: Record<DemoRole, State>; things: PictureThings }

const BOUGHT = ['Quiet Evenings', 'Stablecoin Basics', 'Read Music', 'Hours: a time log', 'Larkspur Coffee Bar']
const WANTED = ['A Field Guide to Moss', 'Night Train', 'Spreadsheets Without Fear', 'Twelve Line Icons']

type Row = { id: string; title: string }

const read = async <Reply>(request: APIRequestContext, path: string): Promise<Reply> =>
  (await (await request.get(path)).json()) as Reply

/** Opens the demo store's people, buys for the shopper, and returns the ids for the paths of the pictures. */
export async function setPictureStage(browser: Browser): Promise<PictureStage> {
  const [shopper, seller, admin] = await Promise.all([
    openAs(browser, 'shopper'),
    openAs(browser, 'seller'),
    openAs(browser, 'admin'),
  ])
  // the demo adds its sales only while the store has no order, and ends with a question to support
  const staff = admin.context().request
  const chats = async () => (await read<{ conversations: Talk[] }>(staff, '/api/admin/chat')).conversations
  await expect.poll(async () => (await chats()).length, { timeout: 120_000 }).toBeGreaterThan(0)
  const bought = await buyGoods(shopper)
  const things = {
    ...{ ...bought, ...(await sellersThings(seller)), passwordOfStaff: demoAccount('admin').password },
    memberId: (await chats())[0]?.userId ?? '',
    staffOrderId: (await read<Row[]>(staff, '/api/admin/orders?status=refunded'))[0]?.id ?? bought.orderId,
    productId: (await findProduct(shopper, 'The Patient Gardener')).id,
  }
  const [ofShopper, ofSeller, ofAdmin] = await Promise.all([leave(shopper), leave(seller), leave(admin)])
  return { states: { shopper: ofShopper, seller: ofSeller, admin: ofAdmin }, things }
}

type Talk = { userId: string }

async function leave(page: Page): Promise<State> {
  const state = await page.context().storageState()
  await page.context().close()
  return state
}

/** Buys one thing of each kind, starts to read two of them, and fills the cart. */
async function buyGoods(page: Page) {
  const { request } = page.context()
  await expect.poll(async () => (await read<object[]>(request, '/api/wallets')).length).toBeGreaterThan(0)
  await request.delete('/api/cart')
  for (const title of BOUGHT) await fillCart(page, title)
  await page.goto('/cart')
  await page.getByRole('button', { name: 'Quick Buy' }).click()
  await page.waitForURL(/\/orders\//)
  const orderId = new URL(page.url()).pathname.split('/')[2] ?? ''
  const { lines } = await read<{ lines: Row[] }>(request, `/api/orders/${orderId}`)
  const lineOf = (title: string) => lines.find((line) => line.title.startsWith(title))?.id ?? ''
  const [bookId, pdfId] = [lineOf('Salt and Time'), lineOf('Stablecoin Basics')]
  await stopAt(request, bookId, '1/0', 0.3)
  await stopAt(request, pdfId, '2', 0.5)
  for (const title of WANTED) await fillCart(page, title)
  return { orderId, bookId, pdfId, soundId: lineOf('Glass Rain'), courseId: lineOf('Read Music') }
}

async function stopAt(request: APIRequestContext, lineId: string, place: string, share: number) {
  const { files } = await read<{ files: Row[] }>(request, `/api/read/${lineId}`)
  const data = { place, share, movedAt: new Date().toISOString() }
  expect((await request.put(`/api/read/${lineId}/files/${files[0]?.id}/place`, { data })).ok()).toBe(true)
}

async function sellersThings(page: Page) {
  const { request } = page.context()
  const { id: ownId } = await findProduct(page, 'Salt and Time')
  const [sale] = await read<Row[]>(request, `/api/account/sales?productId=${ownId}`)
  const { handle } = await read<{ handle: string }>(request, '/api/account/storefront')
  return { saleId: sale?.id ?? '', ownId, seller: handle }
}
