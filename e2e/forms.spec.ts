import { expect, openStaff, register, test } from './shop.ts'

test('a lesson keeps what its seller typed while another tab saves it', async ({ page }) => {
  await register(page, 'Sally')
  const draft = { title: 'Read Scores', price: '4', categoryId: 'ebooks', isDraft: true }
  const { id } = (await (await page.request.post('/api/products', { data: draft })).json()) as { id: string }
  await page.goto(`/my-products/${id}`)
  await page.getByRole('group', { name: 'What buyers get' }).getByRole('button', { name: 'Course' }).click()
  await page.getByLabel('Title of a new lesson or section').fill('Clefs')
  await page.getByRole('button', { name: 'Add a lesson' }).click()
  await page.getByRole('button', { name: 'Edit Clefs' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lesson' })
  const title = dialog.getByLabel('Title')
  await title.fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Give it a title.')).toBeVisible()
  await expect(title).toBeFocused()
  await title.fill('Clefs and keys')
  await dialog.getByLabel(/^Text/).fill('Mine')

  const parts = `/api/products/${id}/course`
  const [part] = (await (await page.request.get(parts)).json()) as { id: string }[]
  const path = `${parts}/parts/${part!.id}`
  const { version } = (await (await page.request.get(path)).json()) as { version: number }
  const theirs = { title: 'Clefs', text: 'Theirs', opensOn: null, opensAfterDays: null, isPreview: true, version }
  const other = await page.request.put(path, { data: theirs, headers: { origin: new URL(page.url()).origin } })
  expect(other.status()).toBe(200)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Somebody else changed this lesson.')).toBeVisible()
  await expect(dialog.getByLabel(/^Text/)).toHaveValue('Mine')
  // A field that this tab did not change gets the saved value.
  const preview = dialog.getByRole('switch', { name: /Free preview/ })
  await expect(preview).toBeChecked()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Edit Clefs and keys' }).click()
  await expect(dialog.getByLabel(/^Text/)).toHaveValue('Mine')
  await expect(preview).toBeChecked()
})

test('staff see a refused name at its field and keep what they typed', async ({ browser }) => {
  const page = await openStaff(browser)
  await page.goto('/admin/categories')
  await page.getByRole('button', { name: 'Add a category' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a category' })
  const name = dialog.getByLabel('Name', { exact: true })
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await expect(name).toBeFocused()
  await name.fill('E-Books')
  await dialog.getByRole('switch', { name: 'Sells programs' }).click()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByText('There is a category of this name.')).toBeVisible()
  await expect(name).toHaveValue('E-Books')
  await expect(dialog.getByRole('switch', { name: 'Sells programs' })).toBeChecked()
  await page.context().close()
})
