import { createServer } from 'node:http'
import AxeBuilder from '@axe-core/playwright'
import { Webhook } from 'standardwebhooks'
import { expect, listProduct, register, test, untilStill } from './shop.ts'

type Letter = { headers: Record<string, string>; body: string }

/** Opens a server of the seller on this machine. Its first answer is a failure. */
async function openReceiver(failure = 500) {
  const letters: Letter[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      letters.push({ headers: request.headers as Letter['headers'], body })
      response
        .writeHead(letters.length === 1 ? failure : 200)
        .end(letters.length === 1 ? 'Down for a moment' : 'Thanks')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return { letters, url: `http://127.0.0.1:${port}/hooks`, close: () => server.close() }
}

test('a webhook is signed, retried after a failure, and replayed from the log', async ({ page }) => {
  const { letters, url, close } = await openReceiver()
  await register(page, 'Ada')
  await page.goto('/webhooks')
  await page.getByRole('button', { name: 'Add an address' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your signing secret' })
  const secret = await dialog.getByText(/^whsec_/).innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nothing delivered yet')).toBeVisible()

  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => letters.length, { timeout: 40_000 }).toBe(2)
  const [first, second] = letters
  expect(new Webhook(secret).verify(second!.body, second!.headers)).toMatchObject({ type: 'test' })
  expect(() => new Webhook(secret).verify(`${second!.body} `, second!.headers)).toThrow('No matching signature')
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])

  const message = page.getByRole('group').filter({ hasText: 'test' })
  await expect(message.getByText('Delivered')).toBeVisible()
  await message.getByText('test', { exact: true }).click()
  await expect(message.getByText(/^500 in /)).toBeVisible()
  await expect(message.getByRole('textbox', { name: 'The answer' })).toHaveCount(2)
  await untilStill(page)
  // the specification locks the zoom
  const { violations } = await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()
  expect(violations).toEqual([])
  await message.getByRole('button', { name: 'Send again now' }).click()
  await expect.poll(() => letters.length).toBe(3)
  expect(letters[2]).toMatchObject({ body: first!.body })
  expect(new Webhook(secret).verify(letters[2]!.body, letters[2]!.headers)).toBeTruthy()
  close()
})

test('a seller chooses the events of a group at once, and resends all failed deliveries', async ({ page }) => {
  // the status 410 turns an address off at once
  const { letters, url, close } = await openReceiver(410)
  await register(page, 'Ada')
  const productId = await listProduct(page, `A text ${crypto.randomUUID().slice(0, 8)}`)
  await page.goto('/webhooks')
  await page.getByRole('button', { name: 'Add an address' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Address' }).fill(url)
  const gifts = form.getByRole('group', { name: 'Gifts' })
  const all = gifts.getByRole('checkbox', { name: 'All of Gifts' })
  await expect(all).toBeChecked()
  await gifts.getByRole('checkbox', { name: /^gift\.claimed/ }).uncheck()
  await expect(all).toHaveJSProperty('indeterminate', true)
  await all.check()
  await expect(gifts.getByRole('checkbox', { name: /^gift\.claimed/ })).toBeChecked()
  await all.uncheck()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('dialog', { name: 'Your signing secret' }).getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('list', { name: 'Addresses' }).getByRole('listitem')
  await expect(row).toContainText('order.completed')
  await expect(row).not.toContainText('gift.')

  const resend = page.getByRole('button', { name: /^Resend all failed/ })
  await expect(page.getByText('Nothing has happened yet.')).toBeVisible()
  await expect(resend).toHaveCount(0)
  const headers = { origin: new URL(page.url()).origin }
  expect((await page.request.post(`/api/products/${productId}/withdraw`, { data: {}, headers })).ok()).toBe(true)
  await expect.poll(() => letters.length).toBe(1)
  expect(JSON.parse(letters[0]!.body)).toMatchObject({ type: 'product.updated', data: { productId, isListed: false } })
  await expect(page.getByText('Failed', { exact: true })).toBeVisible({ timeout: 20_000 })
  await page.reload()
  await expect(page.getByText('Off', { exact: true })).toBeVisible()
  await expect(resend).toHaveCount(0)
  await page.getByRole('button', { name: `Edit ${url}` }).click()
  await form.getByRole('switch', { name: 'Send events' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await page.reload()

  await expect(resend).toHaveText('Resend all failed (1)')
  await resend.click()
  const question = page.getByRole('dialog', { name: 'Resend 1 failed delivery?' })
  await question.getByRole('button', { name: 'Resend', exact: true }).click()
  await expect(page.getByText('Sending 1 delivery again').first()).toBeVisible()
  await expect.poll(() => letters.length).toBe(2)
  expect(letters[1]!.headers['webhook-id']).toBe(letters[0]!.headers['webhook-id'])
  await expect(resend).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeFocused()
  close()
})
