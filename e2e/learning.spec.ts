import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { epubOf, pdfOf } from './books.ts'
import { buy, open, openEntry, sell } from './goods.ts'
import { expect, forgive, register, test, untilStill } from './shop.ts'

/** Runs axe without the zoom rule: the specification locks the zoom of the viewport; Settings enlarge the text. */
const checkAxe = async (page: Page) => {
  await untilStill(page)
  expect((await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()).violations).toEqual([])
}

test('a member completes a course, continues a book on another device and listens to audio', async ({
  page,
  browser,
  context,
}) => {
  const seller = await (await browser.newContext()).newPage()
  const slides = { name: 'slides.pdf', type: 'application/pdf', data: pdfOf(['One hill', 'Two rivers', 'Three roads']) }
  const title = await sell(seller, slides)
  await seller.goto('/my-products')
  await seller.getByRole('link', { name: title }).first().click()
  const stamp = seller.getByRole('switch', { name: 'Print the buyer’s mail address in PDFs' })
  const stamped = seller.waitForResponse((answer) => answer.url().endsWith('/stamp'))
  await stamp.click()
  await expect(stamp).toBeChecked()
  expect((await stamped).status()).toBe(200)
  await checkAxe(seller)
  await seller.context().close()
  const { email } = await register(page, 'Noor')
  await buy(page, 'Read Music, Slowly', title, 'A Year of Small Walks', 'Night Train')

  await open(page, 'Read Music, Slowly')
  for (const [i, lesson] of [
    'Lines and spaces',
    'Long and short',
    'Listen before you read',
    'A first tune',
  ].entries()) {
    await expect(page.getByRole('heading', { level: 1, name: lesson })).toBeVisible()
    if (lesson === 'Listen before you read') await checkAxe(page)
    await page.getByRole('button', { name: i < 3 ? 'Mark as done and go on' : 'Mark as done' }).click()
    await expect(page.getByText(`${i + 1} of 4 lessons done`)).toBeVisible()
  }
  const certificate = page.getByRole('region', { name: 'Certificate' })
  await expect(certificate.getByText('Completed by Noor')).toBeInViewport()
  const saved = page.waitForEvent('download')
  await certificate.getByRole('button', { name: 'Save as PDF' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^certificate-PC-.*\.pdf$/)
  await checkAxe(page)
  const number = await certificate.locator('dd.mono').textContent()
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(`/certificates/${number!}`)
  await expect(stranger.getByText('Read Music, Slowly').first()).toBeVisible()
  await checkAxe(stranger)
  await stranger.context().close()

  await open(page, title)
  await expect(page.getByText('1 of 3')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('3 of 3')).toBeVisible()
  await expect(page.getByText(`Copy of ${email}`).first()).toBeAttached()
  await checkAxe(page)
  await open(page, 'A Year of Small Walks')
  await openEntry(page, 1)
  await expect(page.getByText('2 of 7')).toBeVisible()
  await checkAxe(page)
  await open(page, 'Night Train')
  // loops, because the audio lasts five seconds and a busy machine may pause it later
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => (audio.loop = true))
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByText('1.5×', { exact: true }).click()
  const position = page.getByLabel('Position')
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Pause' }).click()
  await checkAxe(page)
  for (const seconds of ['0', '2']) await position.fill(seconds)
  const kept = page.waitForResponse((answer) => answer.request().postData()?.includes('"place":"2.0"') ?? false)
  await page.getByRole('link', { name: 'Library' }).first().click()
  expect((await kept).ok()).toBe(true)

  const other = await (await browser.newContext({ storageState: await context.storageState() })).newPage()
  await open(other, 'Night Train')
  await expect(other.getByRole('button', { name: 'Resume at 0:02' })).toBeVisible()
  await open(other, title)
  await expect(other.getByText('3 of 3')).toBeVisible()
  await open(other, 'A Year of Small Walks')
  await expect(other.getByText('2 of 7')).toBeVisible()
  await other.context().close()
})

const HOSTILE = `<h1 onclick="document.title='run'">The plain text</h1>
  <script>document.title = 'run'</script><img src="x" onerror="document.title='run'"/>
  <img src="http://outside.example/pixel.png"/><iframe src="http://outside.example/"></iframe>
  <object data="http://outside.example/"></object><embed src="http://outside.example/"/>
  <form action="http://outside.example/"><input name="password"/><button>Send</button></form>
  <a href="javascript:document.title='run'">First link</a><a href="data:text/html,hi">Second link</a>
  <svg xmlns="http://www.w3.org/2000/svg" onload="document.title='run'"><script>document.title = 'run'</script></svg>
  <video src="http://outside.example/film.mp4" autoplay="autoplay"></video>
  <p style="background: url(http://outside.example/back.png)">The last words</p>`
const HEAD = `<base href="http://outside.example/"/><meta http-equiv="refresh" content="0; url=http://outside.example/"/>
  <link rel="stylesheet" href="http://outside.example/style.css"/><style>@import url(http://outside.example/more.css);</style>`

test('a hostile e-book runs no script and sends no request, and a damaged one can be downloaded', async ({
  page,
  browser,
  faults,
}) => {
  const epub = 'application/epub+zip'
  const art = `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='run'"/>`
  const more = { 'book/art.svg': art, '../../outside.txt': 'out', 'book/style.css': '' }
  const sellers = await Promise.all(
    [epubOf(HOSTILE, HEAD, more), epubOf('', '', { 'book/content.opf': '<package><metadata/></package>' })].map(
      async (data, i) => {
        const seller = await (await browser.newContext()).newPage()
        const title = await sell(seller, { name: `story-${i}.epub`, type: epub, data })
        await seller.context().close()
        return title
      },
    ),
  )
  await register(page)
  await buy(page, ...sellers)
  const outside: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('outside.example')) outside.push(request.url())
  })
  await open(page, sellers[0]!)
  const book = page.getByRole('article')
  await expect(book.getByText('The last words')).toBeVisible()
  await expect(book.getByText('First link')).toBeVisible()
  expect(
    await book
      .locator(
        'script, iframe, object, embed, form, input, svg[onload], video, [onclick], [style*=url], [href^="javascript"], [href^="data"]',
      )
      .count(),
  ).toBe(0)
  await book.getByRole('heading', { name: 'The plain text' }).click()
  await book.getByText('First link').click()
  expect(await page.title()).not.toBe('run')
  expect(page.url()).toContain('/read/')
  expect(outside).toEqual([])
  // the content security policy reports that it would have blocked the scripts, too
  forgive(faults, /Content Security Policy/)

  await open(page, sellers[1]!)
  await expect(page.getByRole('alert').getByText('This file has no pages')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download story-1.epub' })).toBeVisible()
  expect(faults).toEqual([])
})
