import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { epubOf, PACKAGE, pdfOf } from './books.ts'
import { buy, open, sell } from './goods.ts'
import { expect, register, test } from './shop.ts'

// Faults of real files, one small file for each. The shop sells one file, and the test replaces its bytes.

const CASES = join(import.meta.dirname, '..', 'test', 'cases')

/** Replaces each file that the reader fetches from this moment on. */
async function serve(page: Page, name: string) {
  await page.unroute(/\/downloads\//)
  await page.route(/\/downloads\//, (route) => route.fulfill({ body: readFileSync(join(CASES, name)) }))
}

async function sellAndBuy(page: Page, file: Parameters<typeof sell>[1]) {
  const seller = await (await page.context().browser()!.newContext()).newPage()
  const title = await sell(seller, file)
  await seller.context().close()
  await register(page)
  await buy(page, title)
  await open(page, title)
  await expect(page).toHaveURL(/\/read\//)
}

/** Share of dark pixels below the first third of the page. The text "Scan below" is above. */
const inkBelow = (page: Page) =>
  page.locator('.reader__paper canvas').evaluate((canvas: HTMLCanvasElement) => {
    const top = Math.floor(canvas.height / 3)
    const { data } = canvas.getContext('2d')!.getImageData(0, top, canvas.width, canvas.height - top)
    const dark = data.filter((value, i) => i % 4 === 0 && value < 128).length
    return dark / (data.length / 4)
  })

test('the PDF reader shows scans, fonts that are not embedded and locked files, or why it cannot', async ({ page }) => {
  await sellAndBuy(page, { name: 'leaflet.pdf', type: 'application/pdf', data: pdfOf(['One hill']) })
  const alert = page.getByRole('alert')
  const text = page.locator('.reader__page > .sr')

  for (const name of ['p01-jpeg2000', 'p02-jbig2', 'p02b-ccitt-control']) {
    await serve(page, `${name}.pdf`)
    await page.reload()
    await expect(text, name).toContainText('Scan')
    expect(await inkBelow(page), name).toBeGreaterThan(0.02)
    await expect(alert).toHaveCount(0)
  }

  for (const [name, words] of [
    ['p00-plain', /\w/],
    ['p03-japanese-cmap', /日本語の本 ?ABC/],
    ['p04-symbol', 'αβγδπ'],
    ['p05-owner-aes256', /\w/],
  ] as const) {
    await serve(page, `${name}.pdf`)
    await page.reload()
    await expect(text, name).toContainText(words)
    await expect(alert).toHaveCount(0)
  }

  for (const [name, words] of [
    ['p06-user-password', 'This file needs a password'],
    ['p07-zero-pages', 'This file has no pages'],
  ] as const) {
    await serve(page, `${name}.pdf`)
    await page.reload()
    await expect(alert.getByRole('heading', { name: words }), name).toBeVisible()
    await expect(alert.getByRole('button', { name: 'Download' })).toBeVisible()
    await expect(page.getByText('The store didn’t respond')).toHaveCount(0)
  }
})

test('the PDF reader reports parts that it cannot show', async ({ page, faults }) => {
  await sellAndBuy(page, { name: 'leaflet.pdf', type: 'application/pdf', data: pdfOf(['One hill']) })
  await page.route(/nowasm_fallback|\.bcmap/, (route) => route.fulfill({ status: 404 }))
  for (const name of ['p01-jpeg2000', 'p02-jbig2', 'p03-japanese-cmap']) {
    await serve(page, `${name}.pdf`)
    await page.reload()
    await expect(page.getByText('This PDF has pictures or text that can’t be shown here.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Download to see everything' })).toBeVisible()
  }
  // a file that fails to load is not damaged, so the reader offers a retry
  await page.unroute(/\/downloads\//)
  await page.route(/\/downloads\//, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Couldn’t open the PDF')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  faults.splice(0)
})

/** Each book with texts of the first chapter that the reader must show, and texts that it must hide. */
const BOOKS: [name: string, shows: string[], hides: string[]][] = [
  ['e01-plain', ['FIRST-CHAPTER-TEXT'], []],
  ['e02-nfd-href', ['FIRST-CHAPTER-TEXT'], []],
  ['e03-utf16-chapter', ['FIRST-CHAPTER-TEXT'], ['<', '\ufffd']],
  ['e04-selfclosed-title', ['FIRST-CHAPTER-TEXT\u00a0with a space'], []],
  ['e04b-selfclosed-script', ['FIRST-CHAPTER-TEXT\u00a0with a space'], []],
  ['e05-xml-blank-start', ['FIRST-CHAPTER-TEXT'], []],
  ['e05b-opf-blank-start', ['FIRST-CHAPTER-TEXT'], []],
  ['e06-xml11', ['FIRST-CHAPTER-TEXT'], []],
  ['e07-opf-ampersand', ['FIRST-CHAPTER-TEXT'], []],
  ['e08-ncx-textxml', ['FIRST-CHAPTER-TEXT'], []],
  ['e09-backslash', ['FIRST-CHAPTER-TEXT'], []],
  ['e10-case', ['FIRST-CHAPTER-TEXT'], []],
  ['e11-rtl', ['שלום, Primo!', 'An English line.'], []],
  ['e14-svg-picture', ['BEFORE', '[Picture: ALT-OF-GONE]', 'AFTER'], []],
  ['e15-anchors', ['FIRST-CHAPTER-TEXT', 'LATER-PARAGRAPH', 'LAST-PARAGRAPH'], []],
  ['e16-sjis-names', ['FIRST-CHAPTER-TEXT'], []],
  ['e18-mathml', ['Take', 'cup.', 'Area'], ['frac{']],
  ['e19-lists', ['FIFTH', 'NINTH', 'LETTER-A'], []],
  ['e20-hidden', ['VISIBLE'], ['HIDDEN-TEXT', 'HIDDEN-NOTE']],
  ['e21-svg-spine', [], []],
  ['e22-latin1', ['FIRST-CHAPTER-TEXT café naïve'], ['\ufffd']],
]

/** Checks of a book, except for its text. */
const LOOKS: Record<string, (text: Locator, page: Page) => Promise<void>> = {
  'e08-ncx-textxml': async (_, page) => {
    await expect(page.getByRole('navigation', { name: 'Contents' }).getByRole('button')).toHaveText([
      'NCX-ENTRY-ONE',
      'NCX-ENTRY-TWO',
    ])
  },
  'e11-rtl': async (text, page) => {
    await expect(text).toHaveCSS('direction', 'rtl')
    await expect(text.getByText('An English line.')).toHaveCSS('direction', 'ltr')
    const [next, previous] = await Promise.all(
      ['Next chapter', 'Previous chapter'].map((name) => page.getByRole('button', { name }).boundingBox()),
    )
    expect(next!.x).toBeLessThan(previous!.x)
  },
  'e14-svg-picture': (text) => expectPicture(text.getByAltText('ALT-OF-CHART')),
  'e18-mathml': async (text) => {
    const [half, ten] = [text.locator('mfrac'), text.locator('msup')]
    await expect(half.locator('mn')).toHaveText(['1', '2'])
    // the browser lays out the formula: a fraction, and a raised exponent
    const [one, two] = await Promise.all([0, 1].map((i) => half.locator('mn').nth(i).boundingBox()))
    expect(one!.y + one!.height).toBeLessThanOrEqual(two!.y + 1)
    const [base, power] = await Promise.all([0, 1].map((i) => ten.locator('mn').nth(i).boundingBox()))
    expect(power!.y).toBeLessThan(base!.y)
    await expect(text.locator('msqrt')).toHaveText('9')
  },
  'e19-lists': async (text) => {
    await expect(text.locator('ol').first()).toHaveAttribute('start', '5')
    await expect(text.getByText('NINTH')).toHaveAttribute('value', '9')
    await expect(text.locator('ol').last()).toHaveCSS('list-style-type', 'upper-alpha')
    await expect(text.getByText('R2')).toHaveAttribute('rowspan', '2')
  },
  'e21-svg-spine': (text) => expectPicture(text.locator('img')),
}

const expectPicture = (picture: Locator) =>
  expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeGreaterThan(0)

test('the EPUB reader reads names, encodings and markup of real books', async ({ page }) => {
  await sellAndBuy(page, { name: 'story.epub', type: 'application/epub+zip', data: epubOf('<p>One</p>') })
  const [text, alert] = [page.locator('.reader__text'), page.getByRole('alert')]
  for (const [name, shows, hides] of BOOKS) {
    await serve(page, `${name}.epub`)
    await page.reload()
    await expect(text, name).toBeVisible()
    for (const words of shows) await expect(text, name).toContainText(words)
    for (const words of hides) await expect(text, name).not.toContainText(words)
    await expect(page.getByText('1 of 2'), name).toBeVisible()
    await expect(alert).toHaveCount(0)
    await LOOKS[name]?.(text, page)
  }
  // the reader treats a book in a subfolder as damaged, but not a protected book
  for (const [name, title] of [
    ['e13-drm', 'This book is protected (DRM)'],
    ['e17-folder', 'This file is damaged'],
  ] as const) {
    await serve(page, `${name}.epub`)
    await page.reload()
    await expect(alert.getByRole('heading', { name: title })).toBeVisible()
    await expect(alert.getByRole('button', { name: 'Download' })).toBeVisible()
    await expect(page.getByText('The store didn’t respond')).toHaveCount(0)
  }
})

test('the EPUB reader reports a chapter that the file lacks', async ({ page }) => {
  const names = { 'book/content.opf': PACKAGE.replace('<spine>', '<spine><itemref idref="gone"/>') }
  const data = epubOf('<p>The second chapter</p>', '', names)
  await sellAndBuy(page, { name: 'story.epub', type: 'application/epub+zip', data })
  await expect(page.getByText('The file lacks this chapter.')).toBeVisible()
  await expect(page.getByText('1 of 2')).toBeVisible()
  await page.getByRole('button', { name: 'Next chapter' }).click()
  await expect(page.getByText('The second chapter')).toBeVisible()
})
