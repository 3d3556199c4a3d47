import type { Page, Route } from '@playwright/test'
import { choose, openMenu } from './goods.ts'
import { cartOf, expect, fillCart, findProduct, payInWindow, press, register, routeRead, signUp, test } from './shop.ts'

const OFFER = '/categories?q=Morning%20Bells'

async function openProduct(page: Page, title = 'Morning Bells') {
  const { id } = await findProduct(page, title)
  await page.goto(`/product/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

test('Buy Now does not change the cart, and the buyer writes, changes and deletes a review', async ({ page }) => {
  const text = `Warm, and it loops without a seam. ${crypto.randomUUID()}`
  await register(page, 'Ada')
  await fillCart(page, 'Salt and Time')
  await openProduct(page)
  await expect(page.getByText(/4\.8 \(1\d\d reviews\)/)).toBeVisible()
  await expect(page.getByText('Sample review').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Write a review' })).toBeHidden()
  await payInWindow(page, press(/^Pay/), page.getByRole('button', { name: 'Buy Now' }))
  await expect(page.getByRole('button', { name: /Download/ }).first()).toBeVisible()
  await choose(page, 'Write a review')
  await expect(page.getByRole('button', { name: 'Post review' })).toBeVisible()
  const star = page.getByRole('radio', { name: '1 star' })
  await expect(star).toBeFocused()
  await choose(page, 'Write a review')
  await expect(star).toBeFocused()

  // only staff refund an opened product
  const saved = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Download/ })
    .first()
    .click()
  await saved
  await choose(page, 'Ask for a refund')
  const request = page.getByRole('dialog', { name: 'Ask for a refund' })
  await expect(request.getByLabel(/^Morning Bells \$/)).toBeChecked()
  await request.getByLabel('Why?').selectOption('Bought by mistake')
  await request.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('You asked for a refund. We’ll answer by email and here.')).toBeVisible()
  await openMenu(page)
  await expect(page.getByRole('button', { name: 'Give a copy' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask for a refund' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.locator('#main:focus, #main :focus')).toHaveCount(1)
  await page.goto('/cart')
  await expect(page.getByText('1 item(s) in your cart')).toBeVisible()

  await openProduct(page)
  const buttons = page.getByRole('region', { name: 'Buy' }).locator('.btn')
  await expect(page.getByText('You own this')).toBeVisible()
  await expect(buttons.first()).toHaveText('Download')
  // the keyboard and screen readers reach the purchase before description and reviews
  await expect(page.locator('h1, h2')).toHaveText([
    ...['Samples', 'Morning Bells', "What's included", 'Description', 'Reviews'],
  ])
  const [file] = await Promise.all([page.waitForEvent('download'), buttons.first().click()])
  expect(file.suggestedFilename()).not.toBe('')
  const reviews = page.getByRole('region', { name: 'Reviews' })
  await reviews.getByRole('button', { name: 'Write a review' }).click()
  await reviews.getByRole('button', { name: 'Post review' }).click()
  await expect(reviews.getByText('Give one to five stars')).toBeVisible()
  // The group has the focus, so the keyboard chooses a star.
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await reviews.getByLabel('Your review').fill(text)
  await reviews.getByRole('button', { name: 'Post review' }).click()
  await expect(page.getByText('Your review is on the page.').first()).toBeVisible()
  await expect(reviews.getByText('You · 4 of 5 · Verified purchase')).toBeVisible()

  await reviews.getByRole('button', { name: 'Edit review' }).click()
  await reviews.getByRole('radio', { name: '5 stars' }).check({ force: true })
  await reviews.getByRole('button', { name: 'Save changes' }).click()
  await expect(reviews.getByText('You · 5 of 5 · Verified purchase')).toBeVisible()
  await page.reload()
  await expect(reviews.getByText('You · 5 of 5 · Verified purchase')).toBeVisible()
  await expect(reviews.getByText(text)).toHaveCount(1)

  await reviews.getByRole('button', { name: 'Delete review' }).click()
  await expect(reviews.getByRole('button', { name: 'Write a review' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(reviews.getByText('You · 5 of 5 · Verified purchase')).toBeVisible()

  // a late answer about the purchase does not move the button
  let answer = () => {}
  const waited = new Promise<void>((resolve) => (answer = resolve))
  await routeRead(page, '**/api/products/*/purchases', async (route) => {
    await waited
    await route.continue()
  })
  await page.reload()
  const add = page.getByRole('region', { name: 'Buy' }).getByRole('button', { name: 'Add to Cart' })
  await expect(add).toBeVisible()
  const topOf = () => add.evaluate((button) => button.getBoundingClientRect().top + scrollY)
  const before = await topOf()
  answer()
  await expect(page.getByText('You own this')).toBeVisible()
  expect(await topOf()).toBe(before)
})

test('the wishlist saves, removes and restores a product', async ({ page }) => {
  await register(page)
  await openProduct(page)
  const heart = page.getByRole('button', { name: 'Save', exact: true })
  await expect(heart).toHaveAttribute('aria-pressed', 'false')

  await page.route('**/api/wishlist/*', (route) => route.fulfill({ status: 404, json: { message: 'Not found' } }))
  await heart.click()
  await expect(page.getByText('Failed to update your wishlist.').first()).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await page.unroute('**/api/wishlist/*')

  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  await page.goto('/profile')
  await page.getByRole('link', { name: 'My Wishlist' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Wishlist' })).toBeVisible()
  await expect(page.getByText('1 product saved')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Morning Bells' }).click()
  await expect(page.getByText('Nothing saved yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(page.getByRole('link', { name: 'Morning Bells' })).toBeVisible()

  await page.route('**/api/wishlist', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as object[]
    await route.fulfill({ response, json: list.map((saved) => ({ ...saved, isActive: false })) })
  })
  await page.reload()
  await expect(page.getByText('Not for sale right now.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Morning Bells' })).toHaveCount(0)
})

test('AI Analyze fills empty fields, keeps typed ones, and Undo reverts it', async ({ page }) => {
  await signUp(page)
  await page.getByRole('button', { name: 'Add Product' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Product' })
  const analyze = dialog.getByRole('button', { name: 'AI Analyze' })
  await expect(analyze).toBeDisabled()
  await dialog.getByLabel(/Price/).fill('3')
  await dialog.getByLabel(/Description/).fill('zzqqxx vvkkjj')
  await analyze.click()
  await expect(page.getByText('Could not analyze product description.').first()).toBeVisible()

  let answer = () => {}
  const waited = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/products/analyze', async (route) => {
    await waited
    await route.continue()
  })
  await dialog.getByLabel(/Description/).fill('A short e-book about fermenting vegetables with salt.')
  await analyze.click()
  await expect(dialog.getByRole('button', { name: 'Analyzing...' })).toBeDisabled()
  answer()
  await expect(page.getByText('Product details have been suggested based on your description.').first()).toBeVisible()
  const price = dialog.getByLabel(/Price/)
  await expect(dialog.getByLabel('Category')).toHaveValue('ebooks')
  await expect(price).toHaveValue('3')
  await dialog.getByRole('button', { name: 'Use suggestion' }).click()
  await expect(price).toHaveValue(/^\d+\.\d\d$/)
  await expect(price).not.toHaveValue('3')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByLabel('Category')).toHaveValue('')
  await expect(price).toHaveValue('3')
})

test('a product without a file is unlisted until its seller uploads one', async ({ page }) => {
  await register(page, 'Sally')
  const created = await page.request.post('/api/products', {
    data: { title: 'Late Pages', description: 'They follow.', price: '4', categoryId: 'ebooks' },
  })
  const { id } = (await created.json()) as { id: string }
  await page.goto('/my-products')
  const line = page.locator('tr').filter({ hasText: 'Late Pages' })
  await expect(line.getByText('Not listed yet: add a file')).toBeVisible()
  await line.getByRole('link', { name: 'Add file to Late Pages' }).click()
  await expect(page).toHaveURL(`/my-products/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Late Pages' })).toBeVisible()
  await page.goto(`/product/${id}`)
  await expect(page.getByText('Not listed yet: add a file')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
  await page.getByRole('button', { name: /Digital file/ }).click()
  const file = { name: 'late pages.txt', mimeType: 'text/plain', buffer: Buffer.from('Here they are.\n'.repeat(50)) }
  await page.locator('input.uppy-Dashboard-input[type=file]').first().setInputFiles(file)
  await page
    .getByRole('button', { name: /^Upload/ })
    .first()
    .click()
  await expect(page.getByText('Your product is listed').first()).toBeVisible()
  await expect(page.getByText('Not listed yet: add a file')).toBeHidden()
  await expect(page.getByText('Add an image')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
})

test('a product page accepts a typed quantity and reports a missing picture or product', async ({ page }) => {
  await register(page)
  await page.route('**/images/**', (route) => route.fulfill({ status: 404 }))
  await routeRead(page, /\/api\/products\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch()
    const product = (await response.json()) as object
    await route.fulfill({ response, json: { ...product, imageUrl: `/images/${crypto.randomUUID()}/640.webp` } })
  })
  await openProduct(page)
  await expect(page.getByText('No preview available')).toBeVisible()
  const quantity = page.getByRole('textbox', { name: /^Quantity of/ })
  await quantity.fill('12')
  await quantity.blur()
  await expect(page.getByText('One copy is yours. Each other is a gift, with a link to give away.')).toBeVisible()
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()
  await page.goto('/cart')
  await expect(page.getByRole('textbox', { name: /^Quantity of/ })).toHaveValue('12')

  await page.unroute(/\/api\/products\/[0-9a-f-]{36}$/)
  await page.goto(`/product/${crypto.randomUUID()}`)
  await expect(page.getByRole('heading', { name: 'Product not found' })).toBeVisible()
  await expect(page.getByText("The product you're looking for doesn't exist.")).toBeVisible()
  await page.getByRole('link', { name: 'Browse Products' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'All Categories' })).toBeVisible()
})

test('the security check stops the third add of more than 1000 dollars within minutes', async ({ page }) => {
  const { password } = await register(page)
  const raise = async (route: Route) => {
    const response = await route.fetch()
    const products = (await response.json()) as { price: string }[]
    await route.fulfill({ response, json: products.map((product) => ({ ...product, price: '1200.00' })) })
  }
  await routeRead(page, /\/api\/products\?/, raise)
  // the poll would restore the true price
  await page.route('**/api/real-time/products', (route) => route.fulfill({ status: 404 }))
  await page.goto(OFFER)
  const add = page.getByRole('button', { name: 'Add Morning Bells to cart' })
  for (const units of [1, 2]) {
    await add.click()
    await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()
    await expect.poll(async () => (await cartOf(page))[0]?.quantity).toBe(units)
  }
  await add.click()
  await expect(page.getByText('Security Check').first()).toBeVisible()
  await expect(page.getByText('Please verify your identity to continue').first()).toBeVisible()
  expect((await cartOf(page))[0]!.quantity).toBe(2)

  await page.getByRole('button', { name: 'Verify' }).click()
  const proof = page.getByRole('dialog', { name: 'Verify your identity' })
  await proof.getByLabel('Your password').fill(password)
  await proof.getByRole('button', { name: 'Verify' }).click()
  await expect(proof).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('security-events'))).toBeNull()
  await add.click()
  await expect.poll(async () => (await cartOf(page))[0]?.quantity).toBe(3)

  // If the check itself fails, nothing is added.
  await page.evaluate(() => sessionStorage.clear())
  await page.evaluate(() => {
    crypto.randomUUID = () => {
      Reflect.deleteProperty(crypto, 'randomUUID')
      throw new Error('the payment check is broken')
    }
  })
  const reported = page.waitForRequest('**/api/ai/analyze-error')
  await add.click()
  await expect(page.getByText('Unable to add to cart. Please try again.').first()).toBeVisible()
  expect((await reported).postDataJSON()).toMatchObject({ error: { message: 'the payment check is broken' } })
  expect((await cartOf(page))[0]!.quantity).toBe(3)
})

test('a page change animates, and reduced motion disables every animation', async ({ page }) => {
  await page.addInitScript(() => {
    const start = Document.prototype.startViewTransition
    Document.prototype.startViewTransition = function (this: Document, ...given) {
      document.documentElement.dataset.moves = String(Number(document.documentElement.dataset.moves ?? 0) + 1)
      return start.apply(this, given)
    }
  })
  const moves = () => page.evaluate(() => Number(document.documentElement.dataset.moves ?? 0))
  await register(page)
  await page.goto(OFFER)
  const link = page.getByRole('link', { name: 'Morning Bells' }).first()
  const isHere = page.waitForResponse(/ProductPage-[^/]*\.js$/)
  await link.hover()
  // The transition needs the page's script to be loaded.
  await page.evaluate(
    async (script) => {
      await import(script)
      await new Promise((done) => setTimeout(done))
    },
    (await isHere).url(),
  )
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Morning Bells' })).toBeVisible()
  expect(await moves()).toBe(1)
  await page.goBack()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Morning Bells' })).toBeVisible()
  expect(await moves()).toBe(1)
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].flatMap((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element)
        return `${animationDuration}, ${transitionDuration}`.split(', ').map((time) => parseFloat(time))
      }),
    ),
  )
  expect(longest).toBeLessThanOrEqual(0.08)
})
