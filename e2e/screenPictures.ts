import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { type PictureStage, setPictureStage } from './screenStage.ts'
import { pictures, share, show } from './screens.ts'
import { ONCE, untilStill, watch } from './shop.ts'

// Takes the pictures of docs/screens/ for `npm run screenshots`. `npm run e2e` does not run this file.

const FOLDER = join(import.meta.dirname, '..', 'docs', 'screens')
const MODES = ['light', 'dark'] as const
const PHONE = { width: 390, height: 844 }
const WIDE = [
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
]
/** Small enough for a repository, and text stays sharp. */
const WEBP = { quality: 62, effort: 6 }
/** A time zone in which it is ten in the morning, so that the greeting and the times are the same at every hour. */
const hour = new Date().getUTCHours()
const hoursBehind = hour <= 22 ? hour - 10 : hour - 34
const ZONE = `Etc/GMT${hoursBehind < 0 ? '-' : '+'}${Math.abs(hoursBehind)}`

let stage: PictureStage
test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  mkdirSync(FOLDER, { recursive: true })
  stage = await share('pictures', () => setPictureStage(browser))
})

for (const picture of pictures) {
  const { file, name, as: role = 'shopper', path } = picture
  test(`takes pictures of ${file} (${name})`, async ({ browser, isMobile }) => {
    const context = await browser.newContext({
      ...{ locale: 'en-US', timezoneId: ZONE, reducedMotion: 'reduce', serviceWorkers: 'block' },
      ...(role !== 'nobody' && { storageState: stage.states[role] }),
    })
    const page = await context.newPage()
    watch(page)
    const [first, ...others] = isMobile ? [PHONE] : WIDE
    await page.setViewportSize(first ?? PHONE)
    await show(page, { ...picture, path: typeof path === 'string' ? path : path(stage.things) }, stage.things)
    for (const size of [first ?? PHONE, ...others]) {
      await page.setViewportSize(size)
      for (const mode of MODES) await take(page, `${file}-${size.width}-${mode}`, mode)
    }
    await context.close()
  })
}

test('lists the pictures in docs/screens/README.md', { tag: ONCE }, () => {
  expect(new Set(pictures.map(({ file }) => file)).size).toBe(30)
  writeFileSync(join(FOLDER, 'README.md'), `${[...HEAD, ...pictures.flatMap(sectionOf)].join('\n')}\n`)
})

async function take(page: Page, file: string, mode: (typeof MODES)[number]) {
  await page.evaluate((wanted) => {
    document.documentElement.dataset.mode = wanted
    for (const clock of document.querySelectorAll('[data-clock]')) clock.textContent = '10:00 AM'
  }, mode)
  await untilLoaded(page)
  const shot = await page.screenshot({ animations: 'disabled' })
  const path = join(FOLDER, `${file}.webp`)
  await sharp(shot).webp(WEBP).toFile(path)
  expect(statSync(path).size).toBeGreaterThan(0)
}

/** Waits for parts that load for a new width, for fonts, and for pictures on the screen. */
async function untilLoaded(page: Page) {
  await expect(page.locator('.skeleton')).toHaveCount(0)
  const isShown = () =>
    page.evaluate(async () => {
      await document.fonts.ready
      const isOnScreen = (image: Element) => {
        const { top, bottom } = image.getBoundingClientRect()
        return bottom > 0 && top < innerHeight
      }
      return [...document.images].filter(isOnScreen).every(({ complete }) => complete)
    })
  await expect.poll(isShown).toBe(true)
  await untilStill(page)
}

const SHOWN_WIDTHS = [
  [390, 130],
  [768, 200],
  [1280, 330],
] as const
const HEAD = [
  '# Screens',
  '',
  'The demo store at 390, 768 and 1280 px, light and dark. `npm run screenshots` takes these pictures and writes this page. Dates and order',
  'numbers differ in each run.',
]

const titleOf = (file: string) => {
  const text = file.replaceAll('-', ' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Thumbnails, one row for each mode. */
function sectionOf({ file }: { file: string }): string[] {
  const rows = MODES.flatMap((mode) => [
    '',
    ...SHOWN_WIDTHS.map(
      ([width, shown]) =>
        `<img src="${file}-${width}-${mode}.webp" alt="${titleOf(file)}, ${width} px, ${mode}" width="${shown}">`,
    ),
  ])
  return ['', `## ${titleOf(file)}`, ...rows]
}
