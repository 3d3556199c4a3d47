import { type Page } from '@playwright/test'
import { expect, register, signOut, test } from './shop.ts'

/** A virtual authenticator that confirms every request. */
async function plugIn(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function openSetting(page: Page, name: string) {
  await page.goto('/settings')
  await page.getByRole('button', { name }).click()
  return page.getByRole('dialog', { name })
}

/** Rejects the next requests as if the proof of identity had expired. */
async function growOld(page: Page, times = 1) {
  let left = times
  await page.route('**/api/account/passkeys/options', async (route) => {
    if (left-- <= 0) return route.fallback()
    const json = { message: 'Please verify your identity to continue', code: 'step_up_required' }
    await route.fulfill({ status: 403, json })
  })
}

test('a passkey is added after a proof of identity, signs in by field and by button, and is removed', async ({
  page,
}) => {
  const account = await register(page)
  await plugIn(page)
  await growOld(page, 2)
  const dialog = await openSetting(page, 'Passkeys')
  await expect(dialog.getByText('You don’t have any passkeys yet.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  const proof = page.getByRole('dialog', { name: 'Verify your identity' })
  await proof.getByLabel('Your password').fill('not the one')
  await proof.getByRole('button', { name: 'Verify' }).click()
  await expect(proof.getByText('That’s not your current password.')).toBeVisible()
  // Escape closes the upper dialog only.
  await page.keyboard.press('Escape')
  await expect(proof).toHaveCount(0)
  await expect(dialog.getByText('Please verify your identity to continue')).toBeVisible()

  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await proof.getByLabel('Your password').fill(account.password)
  await proof.getByRole('button', { name: 'Verify' }).click()
  // the page repeats the refused request after the proof
  await expect(page.getByText('Passkey added').first()).toBeVisible()
  await expect(dialog.getByText('Not used yet')).toBeVisible()
  await dialog.getByRole('button', { name: /^Rename/ }).click()
  await dialog.getByLabel('Passkey name').fill('My phone')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('My phone')).toBeVisible()

  // the email field offers the passkey
  await signOut(page)
  await page.goto('/api/login/password?returnTo=/orders')
  await page.waitForURL(({ pathname }) => pathname === '/orders')

  // the button uses the passkey in a browser without conditional mediation
  await signOut(page)
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.goto('/api/login/password')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()

  const again = await openSetting(page, 'Passkeys')
  await expect(again.getByText(/Last used/)).toBeVisible()
  await again.getByRole('button', { name: 'Remove My phone' }).click()
  await again.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(again.getByText('You don’t have any passkeys yet.')).toBeVisible()
})

test('a member sees another device in the list and signs it out', async ({ page, browser }) => {
  const account = await register(page)
  const laptop = await browser.newContext({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0' })
  const headers = { origin: test.info().project.use.baseURL! }
  await laptop.request.post('/api/login/password', { form: account, headers })
  expect((await laptop.request.get('/api/auth/user')).status()).toBe(200)
  const dialog = await openSetting(page, 'Active Sessions')
  await expect(dialog.getByText('This device')).toHaveCount(1)
  await expect(dialog.getByText('Chrome on Android')).toBeVisible()
  await dialog.getByRole('button', { name: 'Sign out Firefox on Linux' }).click()
  await expect(dialog.getByText('Firefox on Linux')).toHaveCount(0)
  await expect.poll(async () => (await laptop.request.get('/api/auth/user')).status()).toBe(401)
  await laptop.close()
})
