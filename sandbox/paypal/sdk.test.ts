import { createHash } from 'node:crypto'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findTestBrowser } from '../../scripts/chromium.ts'
import { handleRaw } from '../../src/kit/handle.server.ts'
import { pageHeaders } from '../../src/kit/serve/headers.server.ts'
import { openTestSandbox, orderBody, savingSource, type TestSandbox, until } from '../../test/sandbox.ts'

// Uses the provider's browser script in the same way as the shop's pages.

const SCRIPT = `
  const query = new URLSearchParams(location.search)
  window.calls = []
  const note = (name) => (data = {}) => calls.push([name, data instanceof Error ? { message: data.message } : data])
  const order = async () => {
    const answer = await fetch('/plain/order' + location.search, { method: 'POST' })
    if (!answer.ok) throw new Error('no order')
    return answer.json()
  }
  const script = document.createElement('script')
  script.src = '/sandbox/paypal/web-sdk/v6/core'
  script.onload = async () => {
    try {
      const { clientToken } = await (await fetch('/plain/setup')).json()
      const sdk = await paypal.createInstance({ clientToken: query.get('token') ?? clientToken, components: ['paypal-payments'], pageType: 'checkout' })
      const session = sdk.createPayPalOneTimePaymentSession({ onApprove: async (data) => note('approve')(data), onCancel: note('cancel'), onError: note('error') })
      document.querySelector('button').onclick = () => session.start({ presentationMode: 'auto' }, order()).then(note('started'), note('rejected'))
      document.querySelector('button').disabled = false
    } catch (error) { note('failed')(error) }
  }
  document.head.append(script)
`
const HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`
const PAGE = `<!doctype html><title>Plain</title><link rel="icon" href="/favicon.svg"><button disabled>Buy</button><script>${SCRIPT}</script>`

let sandbox: TestSandbox
let browser: Browser
let page: Page
let orders: string[] = []
// The shop waits for this promise before it returns its order.
let gate: Promise<unknown> = Promise.resolve()
let problems: string[] = []

const json = (body: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const routes = [
  handleRaw('GET /favicon.svg', { access: 'public', about: 'Its icon.' }, async () => ({ status: 204 })),
  handleRaw('GET /plain', { access: 'public', about: 'A plain page.' }, async () => ({
    status: 200,
    headers: pageHeaders({ scripts: [HASH], frames: ["'self'"] }),
    body: PAGE,
  })),
  handleRaw('GET /plain/setup', { access: 'public', about: 'Its token.' }, async () =>
    json({ clientToken: await sandbox.fetchToken({ response_type: 'client_token' }) }),
  ),
  handleRaw('POST /plain/order', { access: 'public', about: 'Its order.' }, async ({ query }) => {
    if (query.has('fail')) return json({}, 500)
    await gate
    const body = orderBody(crypto.randomUUID(), query.has('keep') ? savingSource() : {})
    const order = await sandbox.call('POST', '/v2/checkout/orders', body)
    orders.push(order.body.id as string)
    return json({ orderId: order.body.id })
  }),
]

beforeAll(async () => {
  const { path, problem } = await findTestBrowser()
  if (!path) throw new Error(problem)
  sandbox = await openTestSandbox({ routes })
  const args = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-gpu']
  if (process.getuid?.() === 0) args.push('--no-sandbox')
  browser = await chromium.launch({ executablePath: path, args })
})
afterAll(async () => {
  await browser?.close()
  await sandbox?.close()
})

beforeEach(async () => {
  orders = []
  problems = []
  gate = Promise.resolve()
  const context = await browser.newContext()
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(error.error().message))
  page = await context.newPage()
})
afterEach(async () => {
  await page.context().close()
  expect(problems).toEqual([])
})

// Code for the page is a string, because this project has no DOM types.
const calls = () => page.evaluate<[string, Record<string, unknown>][]>('calls')
async function called(name: string) {
  await until(async () => (await calls()).some(([what]) => what === name))
  return (await calls()).find(([what]) => what === name)![1]
}
const capture = (id: string) => sandbox.call('POST', `/v2/checkout/orders/${id}/capture`, {})

async function openPage(query = '') {
  await page.goto(`${sandbox.url}/plain${query}`)
  await page.waitForSelector('button:enabled')
}
async function openWindow() {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
  return popup
}
async function buy(query = '') {
  await openPage(query)
  const popup = await openWindow()
  await popup.waitForSelector('form')
  return popup
}
const pay = (view: Pick<Page, 'getByRole'>) => view.getByRole('button', { name: 'Pay $44.99' })

test('closes the window after an approval and reports the order', async () => {
  const popup = await buy()
  expect(await page.evaluate('paypal.version')).toMatch(/^6\./)
  expect(await popup.title()).toBe('Pay in the sandbox')
  expect(await popup.textContent('body')).toContain('Payment sandbox. No money moves.')
  // A second click focuses the open window.
  await page.click('button')
  await pay(popup).click()
  expect(await called('approve')).toEqual({ orderId: orders[0], fundingSource: 'paypal' })
  await expect.poll(() => popup.isClosed()).toBe(true)
  expect((await calls()).filter(([what]) => what === 'approve')).toHaveLength(1)
  expect((await capture(orders[0]!)).status).toBe(201)
})

test('opens the window at the click, before the order exists', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  await openPage()
  const popup = await openWindow()
  await popup.waitForSelector('[role=status]')
  expect(orders).toEqual([])
  resolve()
  await popup.waitForSelector('form')
})

test('reports an approval whose capture is then declined', async () => {
  const popup = await buy()
  await popup.getByRole('button', { name: 'Decline this payment' }).click()
  await called('approve')
  expect((await capture(orders[0]!)).body).toMatchObject({ details: [{ issue: 'INSTRUMENT_DECLINED' }] })
})

test('reports a cancellation and can start again', async () => {
  const popup = await buy()
  await popup.getByRole('button', { name: 'Cancel and return' }).click()
  expect(await called('cancel')).toEqual({ orderId: orders[0] })
  expect((await capture(orders[0]!)).status).toBe(422)
  await pay(await openWindow()).click()
  expect(await called('approve')).toMatchObject({ orderId: orders[1] })
})

test('treats a closed window as a cancellation', async () => {
  const popup = await buy()
  await popup.close()
  expect(await called('cancel')).toEqual({ orderId: orders[0] })
})

test('treats a window closed before its order exists as a cancellation', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  await openPage()
  await (await openWindow()).close()
  expect(await called('cancel')).toEqual({})
  resolve()
  await until(() => orders.length === 1)
})

test('shows the payment inside the page if the browser blocks windows', async () => {
  await page.addInitScript('open = () => null')
  await openPage()
  await page.click('button')
  const frame = page.frameLocator('dialog iframe')
  await pay(frame).click()
  await called('approve')
  expect(await page.locator('dialog').count()).toBe(0)
  await page.click('button')
  // The focus is inside the frame, where the browser does not close the dialog on Escape.
  await frame.getByRole('button', { name: 'Decline this payment' }).focus()
  await page.keyboard.press('Escape')
  expect(await called('cancel')).toEqual({ orderId: orders[1] })
})

test('reports the outcome if the window lost its opener', async () => {
  await page.context().addInitScript(`Object.defineProperty(window, 'opener', { value: null })`)
  await pay(await buy()).click()
  expect(await called('approve')).toMatchObject({ orderId: orders[0] })
})

test('closes the window and reports an error if the shop creates no order', async () => {
  await openPage('?fail')
  const popup = await openWindow()
  expect(await called('error')).toMatchObject({ message: 'no order' })
  expect(await called('rejected')).toMatchObject({ message: 'no order' })
  await expect.poll(() => popup.isClosed()).toBe(true)
  expect((await calls()).map(([what]) => what)).not.toContain('cancel')
  problems = []
})

test('rejects an invalid client token', async () => {
  await page.goto(`${sandbox.url}/plain?token=${encodeURIComponent(await sandbox.fetchToken())}`)
  expect(await called('failed')).toMatchObject({ message: 'The client token is not valid, or it has expired.' })
  problems = []
})

test('saves the wallet only if the payer ticks the box', async () => {
  const popup = await buy('?keep')
  const box = popup.getByRole('checkbox', { name: 'Save this wallet for next time' })
  expect(await box.isChecked()).toBe(false)
  await box.check()
  await pay(popup).click()
  await called('approve')
  expect((await capture(orders[0]!)).text).toContain('VAULTED')
})

test('shows a completed payment as an error and links back to the shop', async () => {
  const popup = await buy()
  await fetch(`${sandbox.base}/test/orders/${orders[0]}/approve`, { method: 'POST' })
  await capture(orders[0]!)
  await pay(popup).click()
  expect(await popup.textContent('h1')).toBe('This payment is complete already')
  await popup.getByRole('button', { name: 'Return to the shop' }).click()
  await called('cancel')
  problems = []
})

test.each(['light', 'dark'] as const)(
  'shows the window without an accessibility violation, %s',
  async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    const evil = '<img src=x onerror=alert(1)>'
    const body = orderBody(crypto.randomUUID(), savingSource())
    body.purchase_units[0]!.items[0]!.name = evil
    const order = await sandbox.call('POST', '/v2/checkout/orders', body)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${sandbox.base}/checkoutnow?token=${order.body.id as string}&mode=popup`)
    expect(await page.textContent('.receipt dt')).toBe(`${evil} × 2`)
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  },
)
