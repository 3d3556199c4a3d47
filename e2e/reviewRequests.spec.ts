import { buy } from './goods.ts'
import { expect, ONCE, register, routeRead, test } from './shop.ts'

const TITLE = 'Morning Bells'

test('the library asks for a review, and its link opens the form of the product', { tag: ONCE }, async ({ page }) => {
  await register(page)
  await buy(page, TITLE)
  const found = await page.request.get(`/api/products?q=${encodeURIComponent(TITLE)}&limit=1`)
  const [{ id, categoryId }] = (await found.json()) as [{ id: string; categoryId: string }]
  const request = { productId: id, title: TITLE, categoryId, imageUrl: null, askedAt: new Date().toISOString() }
  const newer = { ...request, productId: crypto.randomUUID(), title: 'Rain' }
  // the shop asks days after the first use
  await routeRead(page, '**/api/account/review-requests', (route) => route.fulfill({ json: [newer, request] }))
  await page.goto('/library')
  const asked = page.getByRole('region', { name: 'How do you like it?' })
  // a phone shows one request at a time
  await expect(asked.getByRole('listitem')).toHaveCount(1)
  await asked.getByRole('button', { name: 'Not now: Rain' }).click()
  await asked.getByRole('button', { name: `Not now: ${TITLE}` }).click()
  await expect(asked).toBeHidden()
  await page.reload()
  await asked.getByRole('button', { name: 'Not now: Rain' }).click()
  await asked.getByRole('link', { name: `Write a review of ${TITLE}` }).click()
  await expect(page).toHaveURL(`/product/${id}?review`)
  const reviews = page.getByRole('region', { name: 'Reviews' })
  await expect(reviews.getByRole('button', { name: 'Post review' })).toBeInViewport()
  await reviews.getByRole('radio', { name: '4 stars' }).check({ force: true })
  await reviews.getByRole('button', { name: 'Post review' }).click()
  await expect(reviews.getByText('You · 4 of 5 · Verified purchase')).toBeVisible()

  await page.goto('/library')
  await asked.getByRole('button', { name: 'Don’t ask me' }).click()
  await expect(asked).toBeHidden()
  const account = await page.request.get('/api/account')
  expect(await account.json()).toMatchObject({ wantsReviewRequests: false })
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(asked).toBeVisible()
})
