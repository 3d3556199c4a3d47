import { cartOf, expect, listProduct, ONCE, payInWindow, press, register, test } from './shop.ts'

test('a seller makes a code and shares its link; a buyer pays less, and order and receipt show it', async ({
  page,
  browser,
  context,
  isMobile,
}) => {
  await register(page, 'Sally')
  const title = `Night trains ${crypto.randomUUID().slice(0, 8)}`
  const productId = await listProduct(page, title)
  await page.goto('/discounts')
  await page.getByRole('button', { name: 'New code' }).click()
  const dialog = page.getByRole('dialog', { name: 'New discount code' })
  await dialog.getByLabel('Code', { exact: true }).fill('quietweek')
  await dialog.getByLabel('Percent', { exact: true }).fill('150')
  await dialog.getByRole('button', { name: 'Create code' }).click()
  await expect(dialog.getByLabel('Percent', { exact: true })).toBeFocused()
  await expect(dialog.getByText('Enter a whole number from 1 to 100.')).toBeVisible()
  await dialog.getByLabel('Percent', { exact: true }).fill('20')
  await expect(dialog.getByText(`${title}: $5.00 to $4.00`)).toBeVisible()
  await dialog.getByLabel('Times in all').fill('1')
  await dialog.getByRole('button', { name: 'Create code' }).click()
  await expect(dialog).toBeHidden()
  const codes = page.getByRole('list', { name: 'Codes' })
  await expect(codes).toContainText('20% off, all products')
  await expect(codes).toContainText('Used 0 of 1, once a buyer. No end. Revenue $0.00')
  await page.getByRole('button', { name: 'Pause QUIETWEEK' }).click()
  await expect(codes).toContainText('Paused')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(codes).toContainText('Active')
  if (!isMobile) {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link of QUIETWEEK' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${new URL(page.url()).origin}/product/${productId}?discount=QUIETWEEK`)
  }

  // the dialog shows a change that another tab saves, and typed text is not lost
  await page.getByRole('button', { name: 'Edit QUIETWEEK' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit QUIETWEEK' })
  await expect(edit.getByRole('region', { name: 'What buyers see' })).toContainText(/−\$1\.00.*Total.*\$4\.00/s)
  await edit.getByLabel('Percent', { exact: true }).fill('30')
  const [code] = (await (await page.request.get('/api/account/discounts')).json()) as { id: string; version: number }[]
  const words = { code: 'QUIETWEEK', percent: 25, amount: null, productIds: null, isFirstOnly: false }
  const terms = { startsAt: null, endsAt: null, mostUses: 2, mostPerBuyer: 1 }
  const other = await page.request.put(`/api/account/discounts/${code!.id}`, {
    data: { ...words, ...terms, version: code!.version },
    headers: { origin: new URL(page.url()).origin },
  })
  expect(other.status()).toBe(200)
  await edit.getByRole('button', { name: 'Save code' }).click()
  const both = edit.getByRole('region', { name: 'Discount changed elsewhere' })
  await expect(both).toContainText(/Saved there: 25%.*Yours: 30%/s)
  await expect(edit.getByLabel('Percent', { exact: true })).toHaveValue('30')
  await expect(edit.getByLabel('Times in all')).toHaveValue('2')
  await both.getByRole('button', { name: 'Keep mine' }).click()
  await edit.getByLabel('Percent', { exact: true }).fill('20')
  await edit.getByLabel('Times in all').fill('1')
  await edit.getByRole('button', { name: 'Save code' }).click()
  await expect(edit).toBeHidden()

  const buyer = await (await browser.newContext()).newPage()
  await register(buyer, 'Bruno')
  await buyer.goto(`/product/${productId}?discount=quietweek`)
  await expect(buyer.getByText('QUIETWEEK applied')).toBeVisible()
  await expect(buyer.getByText('You pay $4.00 instead of $5.00.')).toBeVisible()
  await buyer.getByRole('button', { name: 'Add to Cart' }).click()
  await expect.poll(async () => (await cartOf(buyer)).length).toBe(1)
  await buyer.goto('/cart')
  const summary = buyer.getByRole('complementary', { name: 'Order Summary' })
  await expect(summary).toContainText(/Subtotal.*\$5\.00.*QUIETWEEK.*−\$1\.00.*Total.*\$4\.00/s)
  await summary.getByRole('button', { name: 'Change discount codes' }).click()
  const field = summary.getByRole('textbox', { name: 'Discount code' })
  await expect(field).toBeFocused()
  await field.fill('harvest')
  await field.press('Enter')
  await expect(summary.getByText('This code doesn’t fit anything here. Check how it is written.')).toBeVisible()
  await summary.getByRole('button', { name: 'Remove QUIETWEEK' }).click()
  await expect(summary).toContainText(/Total.*\$5\.00/s)
  await field.fill('QuietWeek')
  await summary.getByRole('button', { name: 'Apply' }).click()
  await expect(summary).toContainText(/QUIETWEEK.*−\$1\.00.*Total.*\$4\.00/s)
  await payInWindow(buyer, press(/^Pay/))
  await expect(buyer.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  await expect(buyer.getByRole('region', { name: 'Receipt' })).toContainText(
    /Discount QUIETWEEK.*−\$1\.00.*Total.*\$4\.00/s,
  )
  await page.reload()
  await expect(codes).toContainText('Used 1 of 1, once a buyer. No end. Revenue $4.00')
  await expect(codes).toContainText('Used up')
  // a used code stays. Its dialog leads to the sale
  await expect(page.getByRole('button', { name: 'Delete QUIETWEEK' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit QUIETWEEK' }).click()
  const uses = edit.getByRole('region', { name: 'Who used it' })
  await expect(uses.getByRole('listitem')).toContainText(/Bruno.*\$4\.00/s)
  // with unsaved changes, the browser asks first
  const questions: string[] = []
  page.once('dialog', (question) => {
    questions.push(question.type())
    void question.dismiss()
  })
  await edit.getByLabel('Times in all').fill('7')
  await uses.getByRole('link', { name: 'Bruno' }).click()
  await expect.poll(() => questions).toEqual(['beforeunload'])
  await expect(edit.getByLabel('Times in all')).toHaveValue('7')
  await edit.getByLabel('Times in all').fill('1')
  await uses.getByRole('link', { name: 'Bruno' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Sale [0-9a-f]{8}$/ })).toBeVisible()
  await expect(edit).toHaveCount(0)
})

test('a seller confirms the deletion of an unused code in the list', { tag: ONCE }, async ({ page }) => {
  await register(page, 'Sally')
  await page.goto('/discounts')
  const words = { percent: 20, amount: null, productIds: null, isFirstOnly: false }
  const terms = { startsAt: null, endsAt: null, mostUses: null, mostPerBuyer: null }
  const headers = { origin: new URL(page.url()).origin }
  for (const code of ['FIRST', 'SECOND'])
    expect(
      (await page.request.post('/api/account/discounts', { data: { ...words, ...terms, code }, headers })).ok(),
    ).toBe(true)
  await page.reload()
  await page.getByRole('button', { name: 'Edit FIRST' }).click()
  await expect(page.getByRole('dialog').getByText('No paid or waiting order uses it.')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete FIRST' }).click()
  const question = page.getByRole('dialog', { name: 'Delete FIRST?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  const codes = page.getByRole('list', { name: 'Codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(2)
  await page.getByRole('button', { name: 'Delete FIRST' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('FIRST deleted').first()).toBeVisible()
  await expect(codes).toHaveCount(1)
  await expect(codes).toContainText('SECOND')
  await expect(page.getByRole('button', { name: 'Delete SECOND' })).toBeFocused()
})
