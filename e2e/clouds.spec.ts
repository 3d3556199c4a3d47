import { join as pathOf } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CLOUD_CLIENT, signInAt } from '../sandbox/clouds/clouds.ts'
import { join, startOwnShop } from './ownShop.ts'
import { expect, forgive, test } from './shop.ts'

test('a file comes from Google Drive after a refused sign-in, a refused file, a silent node and one that is gone', async ({
  page,
  faults,
}) => {
  test.setTimeout(120_000)
  const standIn = pathToFileURL(pathOf(import.meta.dirname, '../sandbox/clouds/shop.ts')).href
  const shop = await startOwnShop({
    NODE_OPTIONS: `--import=${standIn}`,
    COMPANION_DRIVE_KEY: CLOUD_CLIENT.key,
    COMPANION_DRIVE_SECRET: CLOUD_CLIENT.secret,
  })
  try {
    let choice: 'allow' | 'deny' = 'deny'
    // the pop-up window is led back as the cloud would lead it
    await page.context().route('**/companion/drive/connect*', async (route) => {
      const answer = await route.fetch({ maxRedirects: 0 })
      const headers = answer.headers()
      await route.fulfill({ status: 302, headers: { ...headers, location: signInAt(headers.location!, choice) } })
    })
    // the node of an import: it works, tells nothing, or is gone
    let node: 'works' | 'silent' | 'gone' = 'works'
    await page.routeWebSocket('**/companion/api/*', (socket) => {
      if (node === 'works') socket.connectToServer()
      else if (node === 'gone') void socket.close()
    })
    await page.clock.install()
    await join(page.request, shop.url)
    await page.goto(shop.url)
    await page.getByRole('button', { name: 'Add Product' }).first().click()
    await page.getByRole('dialog', { name: 'Add Product' }).getByRole('button', { name: 'Digital file' }).click()
    await expect(page.getByRole('tab', { name: 'Dropbox' })).toBeHidden()
    const tab = page.getByRole('tab', { name: 'Google Drive' })
    await tab.click()
    const signIn = page.getByRole('button', { name: 'Sign in with Google' })
    await signIn.click()
    await expect(page.getByText('Authentication aborted').first()).toBeVisible()
    choice = 'allow'
    await signIn.click()
    await page.getByText('Broken.pdf').click()
    await page.getByRole('button', { name: 'Select 1' }).click()
    await page.getByRole('button', { name: 'Upload 1 file' }).click()
    await expect(page.getByText(/Broken\.pdf” isn’t a PDF\..* Please choose another file\./).first()).toBeVisible()
    await tab.click()
    await page.getByText('Guide.txt').click()
    await page.getByRole('button', { name: 'Select 1' }).click()

    const upload = page.getByRole('button', { name: 'Upload 1 file' })
    const again = page.getByRole('button', { name: 'Retry' }).first()
    const details = page.getByRole('button', { name: 'Show error details' }).first()
    for (const [state, says, button, step] of [
      ['silent', 'Timeout waiting for message from Companion socket', upload, 5 * 60_000],
      ['gone', 'Connection with Companion failed', again, 10_000],
    ] as const) {
      node = state
      const begun = page.waitForResponse('**/companion/drive/get/*')
      await button.click()
      await begun
      await expect
        .poll(async () => (await page.clock.fastForward(step), details.isVisible()), { intervals: [100] })
        .toBe(true)
      await expect(page.getByText('Failed to upload Guide.txt').first()).toBeVisible()
      const told = page.waitForEvent('dialog')
      void details.click().catch(() => undefined)
      const dialog = await told
      await dialog.accept()
      expect(dialog.message()).toMatch(new RegExp(`^Upload failed\\s[^]*${says}$`))
    }
    node = 'works'
    await again.click()
    await expect(page.getByText('Digital file uploaded successfully!').first()).toBeVisible()
    forgive(faults, /status of 40[01]/)
  } finally {
    await page.close()
    await shop.stop()
  }
})
