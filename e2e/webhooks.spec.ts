import { createServer } from 'node:http'
import AxeBuilder from '@axe-core/playwright'
import { Webhook } from 'standardwebhooks'
import { expect, register, test, untilStill } from './shop.ts'

type Letter = { headers: Record<string, string>; body: string }

/** Opens a server of the seller on this machine. It fails at first. */
async function openReceiver() {
  const letters: Letter[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      letters.push({ headers: request.headers as Letter['headers'], body })
      response.writeHead(letters.length === 1 ? 500 : 200).end(letters.length === 1 ? 'Down for a moment' : 'Thanks')
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
