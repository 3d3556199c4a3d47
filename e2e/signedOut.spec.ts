import { expect, findProduct, forgive, register, test } from './shop.ts'

const PATHS = [
  '/',
  '/categories',
  '/product/x',
  '/cart',
  '/orders',
  '/orders/1',
  '/settings',
  '/profile',
  '/no/such/page',
]

test('a signed-out visitor sees the landing page on every path', async ({ page }) => {
  for (const path of PATHS) {
    const response = await page.goto(path)
    expect(response!.status(), path).toBe(200)
    await expect(page.getByRole('heading', { level: 1, name: 'Fast and Reliable Digital Services' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign In to Continue' })).toBeVisible()
  }
  await page.goto('/')
  for (const text of ['Your Number One Digital Hub', 'Wide Product Range', 'AI Chat Support', 'Integrated Payments'])
    await expect(page.getByText(text, { exact: true }).first(), text).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In to Continue' })).toHaveAttribute('href', '/api/login')
  for (const name of ['Terms', 'Privacy', 'Refunds', 'Help']) {
    await page.getByRole('contentinfo').getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.goto('/')
  }
  const packed = await page.request.get('/', { headers: { 'accept-encoding': 'br' } })
  expect(Number(packed.headers()['content-length'])).toBeLessThanOrEqual(10 * 1024)

  await page.getByRole('link', { name: 'Get Started' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create an account' })).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(1)
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('robin')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.locator('#email-problem')).toContainText('@')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('robin@test.example')
  await expect(page.locator('#email-problem')).toBeHidden()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('hunter2hunter2')
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide characters' }).click()
  await expect(password).toHaveAttribute('type', 'password')
})

test('the landing page has at most 110 words, and each of its six products opens its page', async ({ page }) => {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/')
    const words = await page.evaluate(() => document.body.innerText.split(/\s+/).filter(Boolean))
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(110)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await expect(page.getByText(/^15% bonus on the first purchase/)).toHaveText(/^(\S+ ){0,9}\S+$/)
  const products = page.getByRole('region', { name: 'Look around' }).getByRole('link')
  await expect(products).toHaveCount(6)
  for (const [i, link] of (await products.all()).entries()) {
    const title = await link.locator('b').innerText()
    await expect(link.locator('.muted'), `kind of ${i}`).toHaveText(/^[A-Z]/)
    await expect(link.locator('.money'), `price of ${i}`).toHaveText(/\$\d|Free|Name your price/)
    await link.click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title.replace('…', ''))
    await page.goBack()
  }
  await page.getByRole('link', { name: 'Start selling' }).click()
  await expect(page).toHaveURL(/sign-up\?returnTo=%2Fselling$/)
})

test('a mailed link signs in without a password, and a forgotten password is replaced', async ({ page, faults }) => {
  const { email } = await register(page)
  await page.context().clearCookies()
  await page.goto('/api/login?returnTo=/wishlist')
  await page.getByRole('link', { name: 'Email me a link' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Check your email' })).toBeVisible()
  const openMail = async (link: string) => {
    await page.goto('/dev/mail')
    const mail = page.getByRole('listitem').filter({ hasText: email }).first()
    // the subject may have the same words
    await mail.getByRole('link', { name: link, exact: true }).last().click()
  }
  await openMail('Sign in')
  await expect(page).toHaveURL(/\/wishlist$/)

  await page.context().clearCookies()
  await page.goto('/api/login/forgot')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await openMail('Choose a new password')
  const password = page.getByLabel('New password')
  await password.fill('hunter2hunter2')
  await page.getByRole('button', { name: 'Set password' }).click()
  const refusal = page.getByText(/easy to guess/)
  await expect(refusal).toBeVisible()
  await password.fill('quiet otters carry lanterns')
  await expect(page.getByText('Strength: Strong')).toBeVisible()
  await expect(refusal).toBeHidden()
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  forgive(faults, /status of 400/)
})

test('a shared product link shows strangers the product, and sign-in returns to it', async ({ page, faults }) => {
  const { email, password } = await register(page)
  const { id } = await findProduct(page, 'Salt and Time')
  await page.context().clearCookies()
  await page.goto(`/product/${id}`)
  await expect(page.getByText('In the shop', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle(/^Salt and Time/)
  const create = page.getByRole('button', { name: 'Create an account to buy' })
  await page.getByLabel('Email').fill('robin@nowhere')
  await create.click()
  await expect(page.getByText('Enter an email address like ada@example.com.')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`sign-up\\?returnTo=%2Fproduct%2F${id}`))
  forgive(faults, /status of 400/)
  await page.goto(`/product/${id}`)
  await page.getByRole('region', { name: 'Salt and Time' }).getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Salt and Time' })).toBeVisible()
})

test('sign-in returns to the requested page, and an unknown page answers 404', async ({ page }) => {
  const { email, password } = await register(page)
  await page.context().clearCookies()
  await page.goto('/api/login?returnTo=/cart')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shopping Cart' })).toBeVisible()
  // members cannot open the support inbox
  for (const path of ['/admin/chat', '/no/such/page']) {
    const response = await page.goto(path)
    expect(response!.status(), path).toBe(404)
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  }
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
})

test('pages for visitors follow the mode of the system until this browser stores a choice', async ({ page }) => {
  await register(page)
  const { id } = await findProduct(page, 'Salt and Time')
  await page.context().clearCookies()
  await page.goto('/')
  for (const path of ['/', `/product/${id}`, '/api/login', '/help'])
    for (const [system, stored, seen] of [
      ['dark', 'broken', 'dark'],
      ['dark', '{"mode":"light"}', 'light'],
      ['light', '{"mode":"dark"}', 'dark'],
      ['light', '{}', 'light'],
    ] as const) {
      await page.emulateMedia({ colorScheme: system })
      await page.evaluate((kept) => localStorage.setItem('preferences', kept), stored)
      await page.goto(path)
      const mode = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
      expect(mode, `${path}, system ${system}, stored ${stored}`).toBe(seen)
    }
})
