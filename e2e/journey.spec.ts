import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import {
  addToCart,
  closeUploader,
  expect,
  newAccount,
  ONCE,
  openStaff,
  payInWindow,
  press,
  register,
  signIn,
  signOut,
  signUp,
  test,
  untilAnswering,
  untilStill,
  whileItCloses,
} from './shop.ts'

test('one visitor signs up and sells a file; another finds it, pays and downloads the same bytes', async ({
  page,
  browser,
  faults,
}) => {
  const bytes = Buffer.concat([Buffer.from('A field guide, in plain text.\n'), randomBytes(60_000)])
  const image = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#2f6f4f' } })
    .png()
    .toBuffer()
  const title = `Field guide ${randomBytes(4).toString('hex')}`

  const seller = await signUp(page, 'Sally')
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Product' })
  await dialog.getByRole('button', { name: /^create/i }).click()
  await expect(dialog.getByText('Title is required')).toBeVisible()
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel(/Description/).fill('Which bird was that? Sixty pages to know by.')
  await dialog.getByLabel(/Price/).fill('12.50')
  await dialog.getByLabel('Category').selectOption({ label: 'E-Books' })
  await upload(
    page,
    /image/i,
    { name: 'cover.png', mimeType: 'image/png', buffer: image },
    'Image uploaded successfully!',
  )
  await upload(
    page,
    /file/i,
    { name: 'field guide.bin', mimeType: 'application/octet-stream', buffer: bytes },
    'Digital file uploaded successfully!',
  )
  await dialog.getByRole('button', { name: /^create/i }).click()
  await expect(page.getByText('Product created successfully!').first()).toBeVisible()
  await expect(dialog).toBeHidden()
  await signOut(page)

  const context = await browser.newContext()
  const buyer = await context.newPage()
  const account = await register(buyer, 'Bruno')
  const looked = buyer.waitForRequest(/\/api\/products\/[0-9a-f-]+\/views$/)
  await addToCart(buyer, title)
  await looked
  await buyer.goto('/cart')
  await expect(buyer.getByText('1 item(s) in your cart')).toBeVisible()
  await payInWindow(buyer, press(/^Pay/))
  await expect(buyer).toHaveURL(/\/orders\//)
  await expect(buyer.getByText('completed', { exact: false }).first()).toBeVisible()
  const download = await Promise.all([
    buyer.waitForEvent('download'),
    buyer
      .getByRole('button', { name: /Download/ })
      .first()
      .click(),
  ]).then(([file]) => file)
  expect(download.suggestedFilename()).toBe('field guide.bin')
  const got = readFileSync(await download.path())
  expect(createHash('sha256').update(got).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))

  await signOut(buyer)
  await signIn(buyer, account)
  await buyer.goto('/orders')
  await expect(buyer.getByText('1 order(s)')).toBeVisible()

  // the balance shows the sale minus the fee of 5 %, and a refund reduces both
  await signIn(page, seller)
  await page.goto('/balance')
  const pending = page.getByRole('region', { name: 'Balance' }).getByRole('definition').first()
  await expect(pending).toHaveText('$11.88')
  const line = (text: string) => page.getByRole('row').filter({ hasText: text })
  await expect(line(title)).toContainText('+$12.50')
  await expect(line('−$0.62')).toContainText('Fee')
  const [{ id }] = (await (await buyer.request.get('/api/orders')).json()) as [{ id: string }]
  const staff = await openStaff(browser)
  const asked = { amount: '2.50', left: '12.50', reason: 'two pages are missing', isUnused: false, isCodeSeen: false }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await staff.request.post(`/api/admin/orders/${id}/refunds`, { data: asked, headers })
  await staff.context().close()
  const sheet = async () =>
    ((await (await page.request.get('/api/account/balance')).json()) as { pending: string }).pending
  await expect.poll(sheet).toBe('9.50')
  await page.reload()
  await expect(pending).toHaveText('$9.50')
  await expect(line(`Order ${id.slice(-8)}, ${title}`)).toContainText('−$2.50')
  await expect(line('Fee returned')).toContainText('+$0.12')
  await expect(page.getByRole('row').last()).toContainText('$9.50')
  // the analytics and a mail show the sale
  await page.goto('/')
  await page.getByRole('link', { name: 'Analytics' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sales' })).toBeVisible()
  // 12.50 less the refund of 2.50, and less the fee of 0.50 that the refund left
  const net = page.getByRole('listitem').filter({ hasText: 'Revenue $12.50' })
  await expect(net.locator('.figure')).toHaveText('$9.50')
  const sale = page.getByRole('region', { name: 'Latest sales' }).getByRole('listitem')
  await expect(sale).toContainText(/Bruno.*\$9\.50/s)
  await expect(page.getByRole('img', { name: /^Revenue a day, from \$0\.00 to \$12\.50/ })).toBeVisible()
  await page.getByText('Every day as a table').press('Enter')
  await expect(page.getByRole('row').filter({ hasText: '$12.50' })).toHaveCount(1)
  const views = async () => {
    const products = (await (await page.request.get('/api/account/products')).json()) as { views: number }[]
    return products[0]!.views
  }
  await expect.poll(views).toBe(1)
  const { violations } = await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()
  expect(violations).toEqual([])
  await page.getByRole('link', { name: title }).click()
  await expect(page.getByText('You keep')).toBeVisible()
  await expect(page.getByText(account.email)).toHaveCount(0)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Email Preferences' }).click()
  const wish = page.getByRole('combobox', { name: 'Sales', exact: true })
  await expect(wish).toHaveValue('each')
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await wish.selectOption({ label: 'Once a day' })
  expect((await saved).status()).toBe(200)
  const mails = await (await page.request.get('/dev/mail')).text()
  expect(mails).toMatch(new RegExp(`You made a sale: \\$12\\.50</a></h2>\\s*<small>To ${seller.email}`))
  expect(faults).toEqual([])
  await context.close()
})

/** Maximum presses from the landing page to the opened e-book. Pressing a field or a button counts, typing does not. */
const MAX_TAPS = 7

test('a new shopper finds, buys and opens an e-book in at most seven taps', { tag: ONCE }, async ({ page }) => {
  const { email } = newAccount()
  let taps = 0
  /** Takes a screenshot for docs/journey.md if RECORD_JOURNEY is set, then presses. */
  const tap = async (name: string, target: Locator, on = page) => {
    await target.scrollIntoViewIfNeeded()
    await record(on, `${++taps}-${name}`)
    await target.tap()
  }

  await page.goto('/')
  await tap(
    'landing',
    page
      .getByRole('region', { name: 'Look around' })
      .getByRole('link', { name: /E-Books/ })
      .first(),
  )
  await page.waitForURL(/\/product\//)
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  await tap('email', page.getByLabel('Email'))
  await page.keyboard.type(email)
  await tap('sign-up', page.getByRole('button', { name: 'Create an account to buy' }))
  await expect(page.getByRole('heading', { name: /check your email/i })).toBeVisible()
  // the mail program is not part of the shop: only the link in the mail counts as a tap
  await page.goto('/dev/mail')
  const mail = page.getByRole('listitem').filter({ hasText: email }).first()
  await tap('mail', mail.getByRole('link', { name: 'Confirm', exact: true }))
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await untilAnswering(page)
  const opened = page.waitForEvent('popup')
  await tap('product', page.getByRole('button', { name: 'Buy Now' }))
  const popup = await opened
  await popup.waitForURL(/checkoutnow/)
  await whileItCloses(popup, tap('payment', popup.getByRole('button', { name: /^Pay/ }), popup))
  await tap('order', page.getByRole('link', { name: `Read ${title}` }))
  await expect(page).toHaveURL(/\/read\//)
  await expect(page.locator('.reader__text')).toContainText(/\w{4}/)
  expect(taps).toBeLessThanOrEqual(MAX_TAPS)

  // a returning shopper resumes in one tap
  await page.goto('/')
  await page.getByRole('link', { name: /^Go on reading/ }).tap()
  await expect(page).toHaveURL(/\/read\//)
  await expect(page.locator('.reader__text')).toContainText(/\w{4}/)
})

async function record(page: Page, name: string) {
  if (!process.env.RECORD_JOURNEY) return
  await untilStill(page)
  await sharp(await page.screenshot())
    .webp({ quality: 70 })
    .toFile(`docs/journey/${name}.webp`)
}

async function upload(
  page: Page,
  button: RegExp,
  file: { name: string; mimeType: string; buffer: Buffer },
  done: string,
) {
  await page.getByRole('dialog', { name: 'Add Product' }).getByRole('button', { name: button }).click()
  await page.locator('input.uppy-Dashboard-input[type=file]').first().setInputFiles(file)
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
  await expect(page.getByText(done).first()).toBeVisible()
  await closeUploader(page)
}
