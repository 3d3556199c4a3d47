import { type Browser, type BrowserContextOptions, devices } from '@playwright/test'
import { CONFIRMATIONS, hasAnvil, openChainNode, type TestChain } from '../test/chain/chain.ts'
import { join, type OwnShop, startOwnShop } from './ownShop.ts'
import { expect, test, untilAnswering, watch } from './shop.ts'

// Uses a separate shop on a real node, because the demo store accepts no USDC. One worker runs both widths.
test.describe.configure({ mode: 'default' })

test.skip(!hasAnvil, 'there is no anvil for this machine')

type Product = { id: string; price: string }
let chain: TestChain
let shop: OwnShop
test.beforeAll(async () => {
  chain = await openChainNode()
  shop = await startOwnShop(chain.settings)
})
test.afterAll(async () => {
  await shop?.stop()
  await chain?.stop()
})

/** Opens a page of a new member of the separate shop. */
async function openBuyer(browser: Browser, device: BrowserContextOptions) {
  const context = await browser.newContext({ ...device, baseURL: shop.url })
  const { request } = context
  const headers = { origin: shop.url }
  await join(request, shop.url)
  const findProducts = async () => (await (await request.get('/api/products?limit=1')).json()) as Product[]
  // the demo store is seeded after the start, slowly beside other shops
  await expect.poll(async () => (await findProducts()).length, { timeout: 60_000 }).toBe(1)
  const [product] = await findProducts()
  const data = { productId: product!.id, quantity: 1 }
  expect((await request.post('/api/cart', { data, headers })).ok()).toBe(true)
  const page = await context.newPage()
  const faults = watch(page)
  return { page, faults, units: Math.round(Number(product!.price) * 1_000_000) }
}

const DESKTOP = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } }

for (const [width, device] of [
  ['phone', {}],
  ['desktop', DESKTOP],
] as const)
  test(`a USDC payment arrives in two parts and survives a reorganisation, on a ${width}`, async ({ browser }) => {
    const { page, faults, units } = await openBuyer(browser, device)
    await page.goto('/cart')
    // the radio buttons may hydrate later than the page
    await expect(() => page.getByRole('radio', { name: /USDC/ }).check({ timeout: 2000 })).toPass()
    await expect(
      page.getByText('A first purchase with USDC earns no bonus, and no later purchase earns one.').first(),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Pay with USDC' }).first().click()
    await expect(page).toHaveURL(/\/pay\//)
    await expect(page.getByRole('img', { name: /^Payment code for/ })).toBeVisible()
    await expect(page.getByRole('timer')).toHaveText(/^(29|30):\d\d$/)
    await expect(page.getByText('USDC on Local test chain only.')).toBeVisible()
    const address = (await page.getByLabel('Address', { exact: true }).textContent())!
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    const part = Math.floor(units / 2)
    const status = page.getByRole('main').getByRole('status')

    const undo = await chain.fork()
    await chain.send(address, part)
    await expect(page.getByText('Too little received')).toBeVisible()
    await undo()
    await expect(page.getByText('Waiting for payment')).toBeVisible()

    await chain.send(address, part)
    await expect(page.getByText('Too little received')).toBeVisible()
    // a reload shows the same, because the page needs only its address
    await page.reload()
    await untilAnswering(page)
    await expect(page.getByText('Send the rest', { exact: true })).toBeVisible()
    await chain.send(address, units - part)
    await expect(page.getByText('Seen', { exact: true })).toBeVisible()
    await expect(page.getByRole('progressbar')).toBeVisible()
    await chain.mine(CONFIRMATIONS)
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
    await expect(status.filter({ hasText: 'Paid.' })).toBeAttached()
    await page.getByRole('link', { name: 'Open your goods' }).click()
    await expect(page.getByText('Completed').first()).toBeVisible()
    expect(faults).toEqual([])
    await page.context().close()
  })
