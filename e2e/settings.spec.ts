import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { codeAt } from '../src/identity/second-factor/totp.server.ts'
import { openAccount } from './ownShop.ts'
import { closeUploader, demoAccount, enter, expect, register, signIn, signOut, test, untilStill } from './shop.ts'

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const pressFor = async (page: Page, button: string | RegExp, dialog: string): Promise<Locator> => {
  await page.getByRole('button', { name: button }).click()
  await expect(dialogOf(page, dialog)).toBeVisible()
  return dialogOf(page, dialog)
}
const close = (page: Page) => page.keyboard.press('Escape')

async function expectAccessible(page: Page) {
  await untilStill(page)
  const { violations } = await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

test('each provider shows its state and settings; the webhook address shows; a member downloads their data', async ({
  page,
}) => {
  await register(page)
  await page.goto('/settings')
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await expect(row('PayPal')).toContainText('Active')
  await expect(row('PayPal')).toContainText('connected')
  await expect(row('Saved wallet')).toContainText('Active')
  await expect(row('Crypto')).toContainText('setup required')
  await expect(row('Crypto')).toContainText('Setup')
  const crypto = await pressFor(page, /Crypto/, 'Crypto')
  await expect(crypto).toContainText('Setup required.')
  await expectAccessible(page)
  await close(page)
  await expect(page.getByRole('button', { name: /Crypto/ })).toBeFocused()
  const paypal = await pressFor(page, /PayPal/, 'PayPal')
  await expect(paypal).toContainText('no real money is charged')
  // only staff see the names of settings and commands
  await expect(paypal.locator('code')).toHaveCount(0)
  await close(page)
  const webhooks = await pressFor(page, 'Configure Webhooks', 'Webhooks')
  await expect(webhooks).toContainText('/api/payments/paypal/webhook')
  await expect(webhooks.getByRole('button', { name: 'Send test event' })).toBeHidden()
  await expect(webhooks).toContainText('Only administrators')
  await close(page)

  const data = await pressFor(page, 'Download My Data', 'Download My Data')
  const coming = page.waitForEvent('download')
  await data.getByRole('button', { name: 'Download' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/\.zip$/)
  expect(await file.failure()).toBeNull()
  await expect(data).toBeHidden()
})

test('the theme and mode of an account apply on another device', async ({ page, browser, faults }) => {
  const account = await register(page)
  await page.goto('/settings')
  await expect(page.getByRole('switch', { name: /Auto Sync/ })).toBeChecked()
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/preferences') && response.request().method() === 'PUT',
  )
  await page.getByText('Purple').click()
  await page.getByRole('switch', { name: /Dark Mode/ }).check()
  await saved
  const context = await browser.newContext()
  const laptop = await context.newPage()
  await enter(laptop, account)
  await laptop.goto('/')
  await expect(laptop.locator('html[data-theme=purple][data-mode=dark]')).toBeVisible()
  await laptop.goto('/settings')
  await laptop.getByRole('switch', { name: /Auto Sync/ }).uncheck()
  await laptop.getByText('Silver').click()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Purple' })).toBeChecked()
  await laptop.getByRole('switch', { name: /Auto Sync/ }).check()
  await expect(laptop.getByRole('radio', { name: 'Purple' })).toBeChecked()
  // a choice wins that is made while the account's look loads
  await laptop.getByRole('switch', { name: /Auto Sync/ }).uncheck()
  let answer = () => {}
  await laptop.route('**/api/preferences', async (route) => {
    if (route.request().method() === 'GET') await new Promise<void>((done) => (answer = done))
    await route.continue()
  })
  const asked = laptop.waitForRequest('**/api/preferences')
  await laptop.getByRole('switch', { name: /Auto Sync/ }).check()
  await asked
  const sent = laptop.waitForRequest((request) => request.method() === 'PUT')
  await laptop.getByText('Silver').click()
  answer()
  expect((await sent).postDataJSON()).toMatchObject({ theme: 'silver' })
  await expect(laptop.getByRole('radio', { name: 'Silver' })).toBeChecked()
  await context.close()
  expect(faults).toEqual([])
})

test('a changed password signs out the other devices', async ({ page, browser }) => {
  const account = await register(page)
  const context = await browser.newContext()
  const laptop = await context.newPage()
  await enter(laptop, account)
  await laptop.goto('/')
  await page.goto('/settings')
  const dialog = await pressFor(page, 'Change Password', 'Change Password')
  await dialog.getByLabel('Current password').fill('not the one')
  await dialog.getByLabel('New password', { exact: true }).fill('a quiet river bend')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('That’s not your current password.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Current password').fill(account.password)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('1 other device was signed out.').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await laptop.reload()
  await expect(laptop.getByRole('heading', { level: 1, name: 'Fast and Reliable Digital Services' })).toBeVisible()
  await signIn(laptop, { ...account, password: 'a quiet river bend' })
  await context.close()
})

/** Returns the code in the newest mail to the address. */
async function mailedCode({ request }: Page, email: string): Promise<string> {
  const mails = await (await request.get('/dev/mail')).text()
  const [, id] = new RegExp(`href="/dev/mail/([\\w-]{36})">Your code to continue</a></h2>\\s*<small>To ${email}`).exec(
    mails,
  )!
  return /to continue: (\d{6})/.exec(await (await request.get(`/dev/mail/${id}`)).text())![1]!
}

test('a member without a password proves who they are by a mailed code, and chooses a password', async ({
  page,
  baseURL,
}) => {
  const email = await openAccount(page.context().request, baseURL!)
  let isProven = false
  await page.route('**/api/account/password', (route) =>
    isProven ? route.continue() : route.fulfill({ status: 403, json: { message: 'Please', code: 'step_up_required' } }),
  )
  await page.goto('/settings')
  const dialog = await pressFor(page, 'Change Password', 'Change Password')
  await expect(dialog.getByLabel('Current password')).toHaveCount(0)
  await dialog.getByLabel('New password', { exact: true }).fill('a quiet river bend')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const proof = dialogOf(page, 'Verify your identity')
  await expect(proof.getByText(`We email a code to ${email}.`)).toBeVisible()
  await expectAccessible(page)
  await proof.getByRole('button', { name: 'Email me a code' }).click()
  await expect(proof.getByLabel('Code')).toBeFocused()
  await expectAccessible(page)
  await proof.getByLabel('Code').fill(await mailedCode(page, email))
  isProven = true
  await proof.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('Password saved').first()).toBeVisible()
  await page.context().clearCookies()
  await signIn(page, { email, password: 'a quiet river bend' })
})

test('a profile saved after its dialog was cancelled leaves the next dialog open', async ({ page }) => {
  await register(page)
  await page.goto('/profile')
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  await page.route('**/api/account/profile', async (route) => {
    await released
    await route.continue()
  })
  const dialog = await pressFor(page, 'Edit Profile', 'Edit Profile')
  await dialog.getByLabel(/First name/).fill('Adaeze')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await pressFor(page, 'Edit Profile', 'Edit Profile')
  release()
  await expect(page.getByRole('heading', { level: 2, name: /Adaeze/, includeHidden: true })).toBeAttached()
  // a dialog that closes stays visible until the end of its animation
  await untilStill(page)
  await expect(dialog).toBeVisible()
  await expect(page.getByText('Profile saved')).toHaveCount(0)
})

test('the profile edits the name, the picture and the email preferences', async ({ page }) => {
  await register(page, 'Robin')
  await page.goto('/profile')
  const dialog = await pressFor(page, 'Edit Profile', 'Edit Profile')
  await dialog.getByLabel(/First name/).fill('Adaeze')
  await dialog.getByLabel(/Last name/).fill('Okafor')
  await dialog.getByRole('button', { name: 'Add a picture' }).click()
  const image = sharp({ create: { width: 400, height: 400, channels: 3, background: '#2f6f4f' } })
  const uploader = dialogOf(page, 'Profile picture')
  const chosen = page.waitForEvent('filechooser')
  await uploader.getByRole('button', { name: /browse files/i }).click()
  await (await chosen).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: await image.png().toBuffer() })
  await uploader.getByRole('button', { name: /^Upload/ }).click()
  await closeUploader(page)
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeVisible()
  await expect(uploader).toBeHidden()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Adaeze Okafor' })).toBeVisible()
  await expect(page.locator('.ticket .avatar img')).toHaveAttribute('src', /^\/images\//)
  const mails = await pressFor(page, 'Email Preferences', 'Email Preferences')
  const news = mails.getByRole('switch', { name: /News/ })
  await expect(news).not.toBeChecked()
  await expect(mails.getByRole('switch', { name: /Receipts/ })).toBeChecked()
  const isSaved = page.waitForResponse(
    (response) => response.request().method() !== 'GET' && /mails/.test(response.url()),
  )
  await news.click()
  await expect(news).toBeChecked()
  await isSaved
  await page.reload()
  await pressFor(page, 'Email Preferences', 'Email Preferences')
  await expect(news).toBeChecked()
})

function codeOf(key: string, later: number): string {
  const letters = [...key.replaceAll(' ', '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
  const bits = letters.map((letter) => letter.toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)))
  return codeAt(bytes, Math.floor(Date.now() / 30_000) + later)
}

test('two-factor authentication turns on, works without JavaScript, and turns off', async ({ page, browser }) => {
  const account = await register(page)
  await page.goto('/settings')
  const dialog = await pressFor(page, /Two-Factor Authentication/, 'Two-Factor Authentication')
  await dialog.getByLabel('Your password').fill(account.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const key = await dialog.locator('code').innerText()
  await expectAccessible(page)
  await dialog.getByLabel('Code').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('That code isn’t right.')).toBeVisible()
  await dialog.getByLabel('Code').fill(codeOf(key, 0))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('Two-factor authentication is on.')).toBeVisible()
  const recovery = await dialog.getByRole('listitem').allInnerTexts()
  expect(recovery).toHaveLength(10)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await page.goto('/profile')
  await expect(page.getByText('Two-factor auth: Enabled')).toBeVisible()
  await signOut(page)

  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto('/api/login')
  await plain.getByLabel('Email').fill(account.email)
  await plain.getByLabel('Password').fill(account.password)
  await plain.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(plain.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await plain.getByLabel('Code').fill(recovery[0]!)
  await plain.getByLabel('Remember this device for 30 days').check()
  await plain.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(plain).toHaveURL('/')
  await context.close()

  await page.goto('/api/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Code').fill(codeOf(key, 1))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.goto('/settings')
  const off = await pressFor(page, /Two-Factor Authentication/, 'Two-Factor Authentication')
  await expect(off).toContainText('9 of 10 recovery codes are left')
  await off.getByRole('button', { name: 'Turn off' }).click()
  await off.getByLabel('Your password').fill(account.password)
  await off.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Two-factor authentication is off').first()).toBeVisible()
})

test('choosing a kind of audit entries does not submit the typed text', async ({ page }) => {
  await enter(page, demoAccount('admin'))
  await page.goto('/admin/audit')
  await page.getByLabel('Account or id').fill('half an addr')
  const answer = page.waitForResponse(/\/api\/admin\/audit\?.*kind=/)
  await page.getByLabel('About').selectOption({ index: 1 })
  expect(new URL((await answer).url()).searchParams.get('q')).toBeNull()
  const find = page.waitForResponse(/\/api\/admin\/audit\?.*q=half/)
  await page.getByRole('button', { name: 'Find' }).click()
  expect(new URL((await find).url()).searchParams.get('kind')).not.toBeNull()
})

test('a staff page hides until the proof of identity and returns unchanged', async ({ page }) => {
  const staff = demoAccount('admin')
  await enter(page, staff)
  await page.goto('/admin/audit')
  await expect(page.getByRole('listitem').first()).toBeVisible()
  let isOld = true
  await page.route('**/api/admin/**', (route) =>
    isOld ? route.fulfill({ status: 403, json: { message: 'x', code: 'step_up_required' } }) : route.continue(),
  )
  await page.getByLabel('Account or id').fill(staff.email)
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByRole('heading', { name: 'Please verify your identity to continue' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeHidden()
  const tabs = page.getByRole('navigation', { name: 'Staff pages' })
  await expect(tabs.getByText('Audit log').first()).toBeVisible()
  await page.getByRole('button', { name: 'Verify' }).click()
  isOld = false
  const dialog = dialogOf(page, 'Verify your identity')
  await dialog.getByLabel('Your password').fill(staff.password)
  await dialog.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible()
  await expect(page.getByLabel('Account or id')).toHaveValue(staff.email)
  await expect(page.getByRole('listitem').filter({ hasText: staff.email }).first()).toBeVisible()
})

test('the proof of identity receives the focus and, when closed, leaves the form unchanged', async ({ page }) => {
  const { password } = await register(page)
  await page.goto('/settings')
  let isOld = true
  await page.route('**/api/account/email', (route) =>
    isOld
      ? route.fulfill({
          status: 403,
          json: { message: 'Please verify your identity to continue', code: 'step_up_required' },
        })
      : route.continue(),
  )
  const form = await pressFor(page, 'Change Email', 'Change Email')
  const field = form.getByLabel('New email address')
  await field.fill(`${crypto.randomUUID()}@test.example`)
  const typed = await field.inputValue()
  const send = form.getByRole('button', { name: 'Email me the link' })
  await send.click()
  const proof = dialogOf(page, 'Verify your identity')
  await expect(proof.getByLabel('Your password')).toBeFocused()
  await proof.getByRole('button', { name: 'Close' }).click()
  await expect(proof).toBeHidden()
  await expect(field).toHaveValue(typed)
  await expect(form.getByText('Please verify your identity to continue')).toHaveCount(0)
  await send.click()
  await expect(proof.getByLabel('Your password')).toBeFocused()
  isOld = false
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(form.getByRole('status')).toContainText(typed)
})
