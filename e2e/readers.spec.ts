import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { epubOf, PACKAGE, pdfOf } from './books.ts'
import { buy, open, sell } from './goods.ts'
import { expect, findProduct, register, test, untilStill } from './shop.ts'

// Controls of the readers, on a phone. Then faults of real files, one small file for each: the shop sells one file, and
// the test replaces its bytes.

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

type Spot = [x: number, y: number]

/** Touches the screen once for each list of spots, without a pause. A list with several spots is a move. */
async function touch(page: Page, ...strokes: Spot[][]) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...spots: Spot[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: spots.map(([x, y]) => ({ x, y })) })
  await Promise.all(
    strokes.flatMap(([first, ...rest]) => [
      send('touchStart', first!),
      ...rest.map((spot) => send('touchMove', spot)),
      send('touchEnd'),
    ]),
  )
  await session.detach()
}

const swipeLeft: Spot[] = [
  [310, 400],
  [210, 404],
  [90, 408],
]

/** Runs axe without the zoom rule: the specification locks the zoom of the viewport. Settings enlarge the text. */
async function checkAxe(page: Page) {
  await untilStill(page)
  expect((await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()).violations).toEqual([])
}

/** Returns an e-book with a chapter of several pages and a short one. */
function twoChapters(files: Record<string, string> = {}): Buffer {
  const [item, ref] = ['<item id="art"', '<itemref idref="one"/>']
  const names = PACKAGE.replace(item, `<item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>${item}`)
  const line = 'The dough rests in the cold while you are out, slowly enough that an hour more or less does no harm. '
  const long = Array.from({ length: 40 }, (_, i) => `<p>Paragraph ${i + 1}. ${line.repeat(2)}</p>`).join('')
  return epubOf(long, '', {
    'book/content.opf': names.replace(ref, `${ref}<itemref idref="two"/>`),
    'book/two.xhtml': '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>The second chapter</p></body></html>',
    ...files,
  })
}

const pagesLeft = async (page: Page) =>
  Number(/(\d+) pages? left/.exec((await page.locator('.reader__folio').textContent()) ?? '')?.[1] ?? 0)

/** Counts the pages of the open chapter, and the lines on the screen that its margins cut off. */
const measure = (page: Page) =>
  page.locator('.reader__text').evaluate((text) => {
    const box = text.getBoundingClientRect()
    const gap = Number.parseFloat(getComputedStyle(text).columnGap)
    const range = document.createRange()
    range.selectNodeContents(text)
    const shown = [...range.getClientRects()].filter(({ left, right }) => right > 0 && left < innerWidth)
    return {
      pages: Math.round((text.scrollWidth + gap) / (box.width + gap)),
      cut: shown.filter(({ left, right }) => left < box.left - 1 || right > box.right + 1).length,
    }
  })

test('on a phone a book has the whole screen, and its pages turn by swipe, tap and key', async ({ page }) => {
  await sellAndBuy(page, { name: 'story.epub', type: 'application/epub+zip', data: twoChapters() })
  const [text, foot] = [page.locator('.reader__text'), page.locator('.reader__foot')]
  await expect(text).toContainText('Paragraph 1.')
  expect(await page.locator('.reading').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await checkAxe(page)
  const all = await pagesLeft(page)
  expect(all).toBeGreaterThan(4)

  // a tap makes the controls invisible, but screen readers and the keyboard still reach them
  await touch(page, [[195, 400]])
  await expect(foot).toHaveCSS('opacity', '0')
  await expect(page.getByRole('button', { name: 'Next page' })).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Library' })).toHaveCount(1)
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  await expect(page.locator(':is(.reading__head, .reader__foot):has(:focus)')).toHaveCSS('opacity', '1')
  await focused.evaluate((control: HTMLElement) => control.blur())

  await touch(page, swipeLeft)
  await expect.poll(() => pagesLeft(page)).toBe(all - 1)
  // a move up scrolls in other books, but does not turn a page here
  await touch(page, [
    [200, 600],
    [204, 400],
    [208, 200],
  ])
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => pagesLeft(page)).toBe(all - 2)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => pagesLeft(page)).toBe(all - 1)
  await touch(page, [[380, 400]])
  await expect.poll(() => pagesLeft(page)).toBe(all - 2)
  await touch(page, [[10, 400]])
  await expect.poll(() => pagesLeft(page)).toBe(all - 1)
  // the page still glides
  await expect.poll(() => measure(page)).toEqual({ pages: all + 1, cut: 0 })
  await page.keyboard.press('Space')
  await expect.poll(() => pagesLeft(page)).toBe(all - 2)
  await page.keyboard.press('PageUp')
  await expect.poll(() => pagesLeft(page)).toBe(all - 1)
  const [previous, next] = ['Previous page', 'Next page'].map((name) => page.getByRole('button', { name }))
  await touch(page, [[195, 400]])
  await expect(foot).toHaveCSS('opacity', '1')
  await next!.click()
  await expect.poll(() => pagesLeft(page)).toBe(all - 2)
  await previous!.press('Enter')
  await previous!.press('Space')
  await expect.poll(() => pagesLeft(page)).toBe(all)
  await expect(previous!).toHaveAttribute('aria-disabled', 'true')

  for (let left = await pagesLeft(page); left >= 0; left--) await page.keyboard.press('ArrowRight')
  await expect(text).toContainText('The second chapter')
  await expect(page.getByText('2 of 2')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(text).toContainText('Paragraph 40.')
  await expect(page.getByText('1 of 2')).toBeVisible()
  await expect.poll(() => pagesLeft(page)).toBe(0)
})

test('a chapter of pictures opens at its first page, and opening a book again stores no place', async ({ page }) => {
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"><rect width="600" height="900" fill="teal"/></svg>'
  const chapter = '<p>The second chapter</p><img src="art.svg" alt="Hill"/>'.repeat(3)
  const data = twoChapters({
    'book/art.svg': picture,
    'book/two.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${chapter}</body></html>`,
  })
  await sellAndBuy(page, { name: 'story.epub', type: 'application/epub+zip', data })
  const [text, next] = [page.locator('.reader__text'), page.getByRole('button', { name: 'Next page' })]
  await expect(text).toContainText('Paragraph 1.')
  for (let left = await pagesLeft(page); left >= 0; left--) await next.click()
  const pictures = page.getByAltText('Hill')
  await expect(pictures).toHaveCount(3)
  await expectPicture(pictures.last())
  await expect(text.getByText('The second chapter').first()).toBeInViewport()
  await expect.poll(() => pagesLeft(page)).toBeGreaterThan(1)
  await next.click()
  const all = (await measure(page)).pages
  await expect.poll(() => pagesLeft(page)).toBe(all - 2)

  const reopen = page.getByRole('link', { name: /^(Read|Resume) Leaflet/ })
  const places: string[] = []
  page.on('request', (request) => request.url().endsWith('/place') && places.push(request.url()))
  const leave = () => page.getByRole('link', { name: 'Library' }).first().click()
  await leave()
  await expect.poll(() => places.length).toBe(1)
  await reopen.click()
  await expectPicture(pictures.last())
  await expect.poll(() => pagesLeft(page)).toBe(all - 2)
  await untilStill(page)
  await leave()
  await expect(reopen).toBeVisible()
  expect(places).toHaveLength(1)
})

test('a reader chooses paper, size, font and margins, which the device stores', async ({ page }) => {
  await sellAndBuy(page, { name: 'story.epub', type: 'application/epub+zip', data: twoChapters() })
  const [reader, text] = [page.locator('.reading'), page.locator('.reader__text')]
  await expect(text).toContainText('Paragraph 1.')
  const { pages } = await measure(page)
  await page.getByRole('button', { name: 'Text and paper' }).click()
  const dialog = page.getByRole('dialog', { name: 'Text and paper' })
  await checkAxe(page)
  for (const paper of ['Day', 'Dusk', 'Night', 'Sepia']) {
    await dialog.getByRole('button', { name: paper }).click()
    await expect(dialog.getByRole('button', { name: paper })).toHaveAttribute('aria-pressed', 'true')
  }
  for (let i = 0; i < 3; i++) await dialog.getByRole('button', { name: 'Larger text' }).click()
  await dialog.getByRole('group', { name: 'Font' }).getByRole('button', { name: 'Plain' }).click()
  await dialog.getByRole('group', { name: 'Margins' }).getByRole('button', { name: 'Wide' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(reader).toHaveAttribute('data-paper', 'sepia')
  await checkAxe(page)
  const changed = await measure(page)
  expect(changed.pages).toBeGreaterThan(pages)
  expect(changed.cut).toBe(0)

  await page.reload()
  await expect(text).toContainText('Paragraph 1.')
  await expect(reader).toHaveAttribute('data-paper', 'sepia')
  expect(await measure(page)).toEqual(changed)
})

/** Width of the drawn text on the screen, in CSS pixels. */
const inkWidth = (page: Page) =>
  page.locator('.reader__paper canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    const columns = Array.from({ length: canvas.width }, (_, x) => x).filter((x) =>
      Array.from({ length: canvas.height }, (__, y) => data[(y * canvas.width + x) * 4]!).some((red) => red < 128),
    )
    return ((columns.at(-1)! - columns[0]!) / canvas.width) * canvas.getBoundingClientRect().width
  })

test('on a phone a PDF fits the width of its text, and a double tap zooms there and back', async ({ page }) => {
  const pages = ['One hill', 'Two rivers', 'Three roads']
  await sellAndBuy(page, { name: 'leaflet.pdf', type: 'application/pdf', data: pdfOf(pages) })
  // measures in one step, because a sharper drawing replaces the canvas
  const boxOf = () =>
    page.evaluate(() => document.querySelector('.reader__paper canvas')!.getBoundingClientRect().toJSON() as DOMRect)
  const foot = page.locator('.reader__foot')
  await expect(page.locator('.reader__page > .sr')).toContainText('One hill')
  expect(Math.round((await boxOf()).width)).toBe(358)
  // fitted to the screen with its margins, the text would be less than 120 px wide
  expect(await inkWidth(page)).toBeGreaterThan(130)
  await checkAxe(page)

  const point: Spot = [150, 90]
  const { x, width } = await boxOf()
  const share = (point[0] - x) / width
  await touch(page, [point], [point])
  await expect.poll(async () => Math.round((await boxOf()).width)).toBe(716)
  const zoomed = await boxOf()
  expect((point[0] - zoomed.x) / zoomed.width).toBeCloseTo(share, 1)
  // a finger moves the enlarged page and does not turn it
  await touch(page, swipeLeft)
  await touch(page, [point], [point])
  await expect.poll(async () => Math.round((await boxOf()).width)).toBe(358)
  await expect(page.getByText('1 of 3')).toBeVisible()
  await expect(foot).toHaveCSS('opacity', '1')

  await touch(page, swipeLeft)
  await expect(page.getByText('2 of 3')).toBeVisible()
  await expect(foot).toHaveCSS('opacity', '0')
  await touch(page, [[195, 400]])
  await expect(foot).toHaveCSS('opacity', '1')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('3 of 3')).toBeVisible()
})

type LockScreen = { lockScreen: Map<string, (details: object) => void> }

test('a sound plays on while its listener looks at other pages, with controls on the lock screen', async ({ page }) => {
  await page.addInitScript(() => {
    const { mediaSession } = navigator
    const handlers = new Map<string, MediaSessionActionHandler | null>()
    const set = mediaSession.setActionHandler.bind(mediaSession)
    mediaSession.setActionHandler = (action, handler) => {
      handlers.set(action, handler)
      set(action, handler)
    }
    Object.assign(window, { lockScreen: handlers })
  })
  const pressOnLockScreen = (key: string) =>
    page.evaluate((action) => (window as unknown as LockScreen).lockScreen.get(action)!({}), key)
  const isPaused = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)
  const loadedBars = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('PlayerBar')).length,
    )
  const bar = page.getByRole('region', { name: 'Player' })
  await register(page)
  await buy(page, 'Night Train')
  await page.goto('/')
  await expect(page.locator('.product').first()).toBeVisible()
  expect(await loadedBars()).toBe(0)

  await open(page, 'Night Train')
  // loops, because the audio lasts five seconds
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => (audio.loop = true))
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(bar).toHaveCount(0)
  await page.getByRole('link', { name: 'Library' }).first().click()
  await expect(bar).toContainText('Night Train')
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(page.locator('.product').first()).toBeVisible()
  await expect(bar).toBeInViewport({ ratio: 1 })
  expect(await isPaused()).toBe(false)
  await checkAxe(page)

  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Night Train')
  await pressOnLockScreen('pause')
  await expect(bar.getByRole('button', { name: 'Play' })).toBeVisible()
  expect(await isPaused()).toBe(true)
  await pressOnLockScreen('play')
  await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()

  await bar.getByRole('link', { name: 'Night Train' }).click()
  await expect(page).toHaveURL(/\/read\//)
  await expect(bar).toHaveCount(0)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: /^(Resume at|Play$)/ }).click()
  await page.getByRole('link', { name: 'Library' }).first().click()
  await bar.getByRole('button', { name: 'Stop and close' }).click()
  await expect(bar).toHaveCount(0)
  await expect(page.locator('audio')).toHaveCount(0)
  expect(await page.evaluate(() => navigator.mediaSession.metadata)).toBeNull()
})

test('a sound that plays covers no button of a product, and stops when a sample plays', async ({ page }) => {
  await register(page)
  await buy(page, 'Night Train')
  const [{ id: owned }, { id: other }] = [
    await findProduct(page, 'Night Train'),
    await findProduct(page, 'Salt and Time'),
  ]
  await open(page, 'Night Train')
  // loops, because the audio lasts five seconds
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => (audio.loop = true))
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  // another document would end the sound
  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path)
  await go(`/product/${other}`)
  const bar = page.getByRole('region', { name: 'Player' })
  await expect(bar).toContainText('Night Train')
  await expect(page.getByRole('heading', { name: 'Reviews' })).toBeAttached()
  const buyBar = page.getByRole('group', { name: 'Price and purchase' })
  for (const [width, height] of [
    [390, 700],
    [1000, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.evaluate(() => scrollTo(0, 0))
    await expect(buyBar).toHaveCount(0)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(buyBar).toBeVisible()
    await untilStill(page)
    const [lower, upper] = [(await bar.boundingBox())!, (await buyBar.boundingBox())!]
    expect(upper.y + upper.height, `${width} px`).toBeLessThanOrEqual(lower.y)
  }
  await buyBar.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()

  await go(`/product/${owned}`)
  const playing = () =>
    page.locator('audio').evaluateAll((all) => all.map((audio) => !(audio as HTMLAudioElement).paused))
  const sample = page.getByRole('button', { name: 'Play the first 2 seconds' })
  await expect(sample).toBeVisible()
  expect((await playing()).filter(Boolean)).toHaveLength(1)
  await sample.click()
  await expect(bar.getByRole('button', { name: 'Play' })).toBeVisible()
  await bar.getByRole('button', { name: 'Play' }).click()
  await expect(sample).toBeVisible()
  expect((await playing()).filter(Boolean)).toHaveLength(1)
  await bar.getByRole('button', { name: 'Stop and close' }).click()
  await expect(page.getByRole('main')).toBeFocused()
})

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
    await page.getByRole('button', { name: 'Contents' }).click()
    const dialog = page.getByRole('dialog', { name: 'Contents' })
    await expect(dialog.getByRole('navigation', { name: 'Contents' }).getByRole('button')).toHaveText([
      'NCX-ENTRY-ONE',
      'NCX-ENTRY-TWO',
    ])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toHaveCount(0)
  },
  'e11-rtl': async (text, page) => {
    await expect(text).toHaveCSS('direction', 'rtl')
    await expect(text.getByText('An English line.')).toHaveCSS('direction', 'ltr')
    const [next, previous] = await Promise.all(
      ['Next page', 'Previous page'].map((name) => page.getByRole('button', { name }).boundingBox()),
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
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('The second chapter')).toBeVisible()
})
