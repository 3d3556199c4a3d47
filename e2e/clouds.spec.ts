import { join as pathOf } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CLOUD_CLIENT, signInAt } from '../sandbox/clouds/clouds.ts'
import { join, startOwnShop } from './ownShop.ts'
import { expect, forgive, test } from './shop.ts'

test('a file comes from Google Drive after a refused sign-in and a refused file', async ({ page, faults }) => {
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
    await page.getByRole('button', { name: 'Upload 1 file' }).click()
    await expect(page.getByText('Digital file uploaded successfully!').first()).toBeVisible()
    forgive(faults, /status of 40[01]/)
  } finally {
    await page.close()
    await shop.stop()
  }
})
