import { pdfOf } from './books.ts'
import { sell } from './goods.ts'
import { cartOf, expect, findProduct, ONCE, register, test } from './shop.ts'

test('a shopper opens samples under the cover and sees kind, lesson dates and parts before paying', async ({
  page,
  isMobile,
}) => {
  await register(page)
  const visit = async (title: string) => {
    const { id } = await findProduct(page, title)
    await page.goto(`/product/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  const buy = page.getByRole('region', { name: 'Buy' })
  const topOf = async (name: string) => (await page.locator(name).first().boundingBox())!.y

  await visit('Salt and Time')
  await expect(buy.getByText('Digital Download', { exact: true })).toBeVisible()
  const read = page.getByRole('button', { name: 'Read a sample The first of 3 chapters' })
  const box = (await read.boundingBox())!
  expect(box.height).toBeGreaterThanOrEqual(44)
  expect(box.y).toBeGreaterThan(await topOf('.frame--hero'))
  expect(box.y).toBeLessThan(await topOf('#description'))
  if (isMobile) expect(box.y).toBeLessThan(await topOf('.buy'))
  await read.click()
  const sample = page.getByRole('dialog', { name: 'Salt and Time' })
  await expect(sample.getByRole('article')).toContainText('Weigh the vegetables')
  await expect(sample.getByRole('heading', { name: 'The jar' })).toHaveCount(0)
  await expect(sample.getByRole('button', { name: 'Next chapter' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sample).toHaveCount(0)
  await expect(read).toBeFocused()

  await visit('Night Train')
  await page.getByRole('button', { name: 'Play the first 2 seconds' }).click()
  await expect(page.getByRole('button', { name: 'Pause the sample' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play the first 2 seconds' })).toBeVisible()

  await visit('Speak for Five Minutes')
  await expect(buy.getByText('Course, 3 lessons')).toBeVisible()
  await expect(buy).toContainText(/2 lessons at once, then:.*The hands.*Opens 1 day after you buy/s)
  await page.getByRole('button', { name: 'Read a free lesson One thought' }).click()
  await expect(page.getByRole('dialog', { name: 'One thought' })).toContainText('Five minutes hold one thought.')

  await visit('Quiet Evenings')
  await expect(buy.getByText('Bundle of 3')).toBeVisible()
  await expect(buy.getByRole('region', { name: '3 products in one' })).toContainText(/Salt and Time\s*Digital Download/)
  await visit('Fernhill Bookshop')
  await expect(buy.getByText('Digital code')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Samples' })).toHaveCount(0)
})

test('a bar with price and button is shown while the ticket is above the screen, and moves nothing', async ({
  page,
}) => {
  await register(page)
  const { id } = await findProduct(page, 'Salt and Time')
  for (const [width, height] of [
    [390, 700],
    [320, 640],
    [800, 600],
  ] as const) {
    await page.setViewportSize({ width, height })
    // the same address again would restore the scroll position
    await page.goto('about:blank')
    await page.goto(`/product/${id}`)
    const reviews = page.getByRole('heading', { name: 'Reviews' })
    await reviews.scrollIntoViewIfNeeded()
    await expect(page.locator('.buybar-place')).toBeAttached()
    await page.evaluate(() => scrollTo(0, 0))
    const bar = page.getByRole('group', { name: 'Price and purchase' })
    await expect(bar).toHaveCount(0)
    const topOf = () => reviews.evaluate((heading) => heading.getBoundingClientRect().top + scrollY)
    const before = await topOf()
    const end = () => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await end()
    await expect(bar).toContainText(/\$4\.50\s*Salt and Time/)
    expect(await topOf()).toBe(before)
    const box = (await bar.boundingBox())!
    const nav = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(width)
    if (width < 768) expect(box.y + box.height).toBeLessThanOrEqual(nav.y)
    // at the end of the page, the bar covers no content; late parts make the page longer
    await expect(async () => {
      await end()
      const last = (await page.locator('.product-page').boundingBox())!
      expect(last.y + last.height).toBeLessThanOrEqual(box.y)
    }).toPass({ timeout: 20_000 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await page.getByRole('group', { name: 'Price and purchase' }).getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()
  expect(await cartOf(page)).toHaveLength(1)
})

test(
  'a seller cuts a sample from the sold file, and a visitor without an account gets this part only',
  { tag: ONCE },
  async ({ page, browser }) => {
    const pages = Array.from({ length: 10 }, (_, i) => `Page ${i + 1} of the leaflet`)
    const title = await sell(page, { name: 'leaflet.pdf', type: 'application/pdf', data: pdfOf(pages) })
    const { id } = await findProduct(page, title)
    await page.goto(`/my-products/${id}`)
    const previews = page.getByRole('region', { name: 'Previews' })
    await previews.getByRole('button', { name: 'Use the first pages' }).click()
    // the sample is not public before the seller sees its extent
    const question = page.getByRole('dialog', { name: 'Show this sample?' })
    await expect(question).toContainText('The first 2 of 10 pages, 20 % of the pages.')
    await question.getByRole('button', { name: 'Show the sample' }).click()
    await expect(page.getByText('Sample added').first()).toBeVisible()
    await expect(previews.getByLabel(`Name of the sample ${title}`)).toBeVisible()
    await expect(previews.getByRole('button', { name: 'Use the first pages' })).toHaveCount(0)
    await page.goto(`/product/${id}`)
    await page.getByRole('button', { name: 'Look inside The first 2 of 10 pages' }).click()
    await expect(page.getByRole('dialog', { name: title }).getByText('1 of 2')).toBeVisible()

    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(`/product/${id}`)
    const link = visitor.getByRole('link', { name: /^Download a sample \(PDF, / })
    const answer = await visitor.request.get((await link.getAttribute('href'))!)
    expect(answer.ok()).toBe(true)
    const text = (await answer.body()).toString('latin1')
    expect(text).toContain('%PDF-')
    expect(text).toContain('Page 2 of the leaflet')
    expect(text).not.toContain('Page 3 of the leaflet')
    await visitor.context().close()
  },
)
