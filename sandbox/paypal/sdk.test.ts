// Over 300 lines: one page and its stand-in shop serve every way a payer can leave the window.
import { createHash } from 'node:crypto'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findChromium } from '../../scripts/chromium.ts'
import { openTestSandbox, orderBody, savingSource, type TestSandbox, until } from '../../test/sandbox.ts'
import { handleRaw } from '../../src/kit/handle.server.ts'
import { pageHeaders } from '../../src/kit/serve/headers.server.ts'

// A plain page that does what the shop's does: loads the script, makes a session, starts it in the click.

const SCRIPT = `
  const query = new URLSearchParams(location.search)
  window.news = []
  const tell = (name) => (data = {}) => news.push([name, data instanceof Error ? { message: data.message, code: data.code } : data])
  const post = async (path) => { const answer = await fetch(path, { method: 'POST' }); if (!answer.ok) throw new Error('no order'); return answer.json() }
  const script = document.createElement('script')
  script.src = '/sandbox/paypal/web-sdk/v6/core'
  script.onload = async () => {
    try {
      const { clientToken } = await (await fetch('/plain/setup')).json()
      const sdk = await paypal.createInstance({ clientToken: query.get('token') ?? clientToken, components: ['paypal-payments'], pageType: 'checkout' })
      const methods = await sdk.findEligibleMethods({ currencyCode: 'USD' })
      window.methods = ['paypal', 'paylater', 'venmo'].map((method) => methods.isEligible(method))
      const options = { commit: true, onApprove: async (data) => tell('approve')(data), onCancel: tell('cancel'), onComplete: tell('complete'), onError: tell('error') }
      window.session = query.has('save') ? sdk.createPayPalSavePaymentSession(options) : sdk.createPayPalOneTimePaymentSession(options)
      document.querySelector('button').onclick = () => {
        const promise = query.has('save') ? post('/plain/setup-token') : post('/plain/order' + location.search)
        session.start({ presentationMode: query.get('mode') ?? 'auto' }, promise).then(tell('started'), tell('rejected'))
      }
      document.querySelector('button').disabled = false
    } catch (error) { tell('failed')(error) }
  }
  document.head.append(script)
`
const HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`
const PAGE = `<!doctype html><title>Plain</title><link rel="icon" href="/favicon.svg"><button disabled>Buy</button><script>${SCRIPT}</script>`

let sandbox: TestSandbox
let browser: Browser
let page: Page
let orders: string[] = []
// the shop answers with its order when this is through
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
  handleRaw('POST /plain/setup-token', { access: 'public', about: 'Its setup token.' }, async () => {
    const token = await sandbox.call('POST', '/v3/vault/setup-tokens', { payment_source: { paypal: {} } })
    return json({ vaultSetupToken: token.body.id })
  }),
]

beforeAll(async () => {
  const { path, problem } = await findChromium()
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

type News = [string, Record<string, unknown>][]
// what runs in the page is text here, because this side of the house knows no DOM
const news = () => page.evaluate<News>('news')
async function heard(name: string) {
  await until(async () => (await news()).some(([what]) => what === name))
  return (await news()).find(([what]) => what === name)![1]
}
const capture = (id: string) => sandbox.call('POST', `/v2/checkout/orders/${id}/capture`, {})

async function openPage(query = '') {
  await page.goto(`${sandbox.url}/plain${query}`)
  await page.waitForSelector('button:enabled')
}
async function buy(query = '') {
  await openPage(query)
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
  await popup.waitForSelector('form')
  return popup
}

test('a payer pays in the window and the money can be taken', async () => {
  const popup = await buy()
  expect(await page.evaluate('methods')).toEqual([true, false, false])
  expect(await page.evaluate('paypal.version')).toMatch(/^6\./)
  expect(await popup.title()).toBe('Pay in the sandbox')
  expect(await popup.textContent('body')).toContain('Payment sandbox. No money moves.')
  await popup.getByRole('button', { name: 'Pay $44.99' }).click()
  expect(await heard('approve')).toEqual({ orderId: orders[0], fundingSource: 'paypal', payerId: 'SANDBOXBUYER1' })
  expect(await heard('complete')).toEqual({ paymentSessionState: 'approved' })
  await expect.poll(() => popup.isClosed()).toBe(true)
  expect((await capture(orders[0]!)).status).toBe(201)
})

test('the window opens in the click and waits for the order', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  await openPage()
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
  await popup.waitForSelector('[role=status]')
  expect(orders).toEqual([])
  resolve()
  await popup.waitForSelector('form')
})

test('a declined payment is told at capture, and paid on the second try', async () => {
  const popup = await buy()
  await popup.getByRole('button', { name: 'Decline this payment' }).click()
  await heard('approve')
  expect(await capture(orders[0]!)).toMatchObject({
    status: 422,
    body: { details: [{ issue: 'INSTRUMENT_DECLINED' }] },
  })
  // by a link this time, as a shop without the script would send its payer
  const retry = await page.context().newPage()
  await retry.route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'back' }))
  await retry.goto(`${sandbox.base}/checkoutnow?token=${orders[0]}`)
  await retry.getByRole('button', { name: 'Pay $44.99' }).click()
  await retry.waitForURL(`https://shop.example/orders?token=${orders[0]}&PayerID=SANDBOXBUYER1`)
  expect((await capture(orders[0]!)).status).toBe(201)
})

test('canceling is told, and the button works again', async () => {
  const popup = await buy()
  await popup.getByRole('button', { name: 'Cancel and return' }).click()
  expect(await heard('cancel')).toEqual({ orderId: orders[0] })
  expect(await heard('complete')).toEqual({ paymentSessionState: 'canceled' })
  expect((await capture(orders[0]!)).status).toBe(422)
  const [again] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
  await again.getByRole('button', { name: 'Pay $44.99' }).click()
  await heard('approve')
  expect((await capture(orders[1]!)).status).toBe(201)
})

test('closing the window is canceling', async () => {
  const popup = await buy()
  await popup.close()
  expect(await heard('cancel')).toEqual({ orderId: orders[0] })
})

test('closing the window before there is an order is canceling too', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  await openPage()
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
  await popup.close()
  expect(await heard('cancel')).toEqual({})
  resolve()
  await until(() => orders.length === 1)
})

test('when windows are blocked the payment is shown in the page', async () => {
  await page.addInitScript('open = () => null')
  await openPage()
  await page.click('button')
  const frame = page.frameLocator('dialog iframe')
  await frame.getByRole('button', { name: 'Pay $44.99' }).click()
  await heard('approve')
  expect(await page.locator('dialog').count()).toBe(0)
  expect((await capture(orders[0]!)).status).toBe(201)
  await page.click('button')
  // the key is heard by a frame that has come, wherever the focus is
  await frame.getByRole('button', { name: 'Pay $44.99' }).waitFor()
  await page.keyboard.press('Escape')
  await heard('cancel')
})

test('the Escape key cancels from inside the frame as well', async () => {
  await openPage('?mode=modal')
  await page.click('button')
  await page.frameLocator('dialog iframe').getByRole('button', { name: 'Decline this payment' }).focus()
  await page.keyboard.press('Escape')
  expect(await heard('cancel')).toEqual({ orderId: orders[0] })
})

test('a window cut off from the page is heard all the same', async () => {
  await page.context().addInitScript(`Object.defineProperty(window, 'opener', { value: null })`)
  const popup = await buy()
  await popup.getByRole('button', { name: 'Pay $44.99' }).click()
  expect(await heard('approve')).toMatchObject({ orderId: orders[0] })
})

test('a shop that cannot make the order closes the window and is told', async () => {
  await openPage('?fail')
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
  expect(await heard('error')).toMatchObject({ message: 'no order' })
  expect(await heard('rejected')).toMatchObject({ message: 'no order' })
  expect(await heard('complete')).toEqual({ paymentSessionState: 'error' })
  await expect.poll(() => popup.isClosed()).toBe(true)
  expect((await news()).map(([what]) => what)).not.toContain('cancel')
  problems = []
})

test('the script refuses a client token that is not valid', async () => {
  await page.goto(`${sandbox.url}/plain?token=${encodeURIComponent(await sandbox.fetchToken())}`)
  expect(await heard('failed')).toMatchObject({ code: 'ERR_INVALID_CLIENT_TOKEN' })
  problems = []
})

test('a second click shows the window that is open', async () => {
  const popup = await buy()
  await page.click('button')
  await popup.getByRole('button', { name: 'Pay $44.99' }).click()
  await heard('approve')
  expect((await news()).filter(([what]) => what === 'approve')).toHaveLength(1)
})

test('a session that the shop cancels closes its window', async () => {
  const popup = await buy()
  await page.evaluate('session.cancel()')
  await heard('cancel')
  await expect.poll(() => popup.isClosed()).toBe(true)
})

test('the payer decides whether the wallet is kept', async () => {
  const popup = await buy('?keep')
  const box = popup.getByRole('checkbox', { name: 'Save this wallet for next time' })
  expect(await box.isChecked()).toBe(false)
  await box.check()
  await popup.getByRole('button', { name: 'Pay $44.99' }).click()
  await heard('approve')
  expect((await capture(orders[0]!)).text).toContain('VAULTED')
})

test('a wallet is saved without a payment', async () => {
  const popup = await buy('?save')
  await popup.getByRole('button', { name: 'Save this wallet' }).click()
  const { vaultSetupToken } = await heard('approve')
  const token = await sandbox.call('POST', '/v3/vault/payment-tokens', {
    payment_source: { token: { id: vaultSetupToken, type: 'SETUP_TOKEN' } },
  })
  expect(token.status).toBe(201)
})

test('a payment that is over says so and leads back', async () => {
  const popup = await buy()
  await fetch(`${sandbox.base}/test/orders/${orders[0]}/approve`, { method: 'POST' })
  await capture(orders[0]!)
  await popup.getByRole('button', { name: 'Pay $44.99' }).click()
  expect(await popup.textContent('h1')).toBe('This payment is complete already')
  await popup.getByRole('button', { name: 'Return to the shop' }).click()
  await heard('cancel')
  problems = []
})

test.each(['light', 'dark'] as const)('the window can be read and used by everybody, %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme })
  const { body } = await sandbox.call('POST', '/v2/checkout/orders', orderBody(crypto.randomUUID(), savingSource()))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${sandbox.base}/checkoutnow?token=${body.id as string}&mode=popup`)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
})

test('what a shop writes into an order is text in the window', async () => {
  const evil = '<img src=x onerror=alert(1)>'
  const body = orderBody(crypto.randomUUID(), {}, { items: undefined })
  body.purchase_units[0]!.items = [
    {
      name: evil,
      sku: 'a',
      quantity: '1',
      category: 'DIGITAL_GOODS',
      unit_amount: { currency_code: 'USD', value: '44.99' },
    },
  ]
  const order = await sandbox.call('POST', '/v2/checkout/orders', body)
  await page.goto(`${sandbox.base}/checkoutnow?token=${order.body.id as string}`)
  expect(await page.textContent('.receipt dt')).toBe(evil)
  expect(await page.locator('img').count()).toBe(0)
})
