import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import type axe from 'axe-core'
import { type Role, type Screen, shareStage, show, showNext, type Stage, visits } from './screens.ts'
import { unrouteReads, watch } from './shop.ts'

// Runs axe on every screen at the width of a phone: pages in each theme and mode, their states in the first theme. The
// first look runs all rules. The other looks run only the rules about colours, because a theme changes nothing else.
// A desktop has the sidebar, which axe checks on home, and tables in place of lists. For a dialog, axe checks only the
// dialog: its page is a separate screen.

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOURS = ['color-contrast', 'link-in-text-block']
/**
 * The specification locks the zoom of the viewport. Text grows to 200 % in Settings instead (technique G178), where the
 * lock can also be lifted.
 */
const ALLOWED = { 'meta-viewport': { enabled: false } }
const LOOKS = ['royal-blue', 'silver', 'purple'].flatMap((theme) => ['light', 'dark'].map((mode) => ({ theme, mode })))
const FIRST_THEME = LOOKS.slice(0, 2)

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
const AXE = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8')

let stage: Stage
test.beforeAll(async ({ browser }) => {
  stage = await shareStage(browser)
})

// The screens of a role share a page: its cached and compiled scripts make each load cheaper.
type Seat = { page: Page; faults: string[] }
const seats = new Map<Role, Seat>()
test.afterAll(() => Promise.all([...seats.values()].map(({ page }) => page.context().close())))

async function takeSeat(browser: Browser, role: Role): Promise<Seat> {
  const taken = seats.get(role)
  if (taken) return taken
  const storageState = stage.states[role]
  const context = await browser.newContext({ storageState, reducedMotion: 'reduce', serviceWorkers: 'block' })
  const page = await context.newPage()
  const seat = { page, faults: watch(page) }
  seats.set(role, seat)
  return seat
}

for (const [first, ...others] of visits) {
  const names = [first, ...others].map(({ name }) => name).join('; ')
  test(`axe finds no violation and no overflow: ${names}`, async ({ browser }) => {
    const { page, faults } = await takeSeat(browser, first.as ?? 'shopper')
    await page.setViewportSize(PHONE)
    await show(page, first, stage.things)
    await page.addStyleTag({ content: '* { transition: none !important; animation: none !important }' })
    await page.evaluate(AXE)
    await judge(page, first)
    for (const screen of others) {
      await page.setViewportSize(PHONE)
      await showNext(page, screen)
      await judge(page, screen)
    }
    await leave(page)
    const found = faults.splice(0)
    if (!first.isBroken) expect(found).toEqual([])
  })
}

/** Leaves the screen and removes its state, so that it does not disturb the next one. */
async function leave(page: Page) {
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('about:blank', { waitUntil: 'commit' })
  await unrouteReads(page)
}

async function judge(page: Page, { name, before, open }: Screen) {
  const isState = before ?? open
  expect(await findViolations(page, isState ? FIRST_THEME : LOOKS), name).toEqual([])
  await page.setViewportSize(DESKTOP)
  if (name === 'home') expect(await findViolations(page, LOOKS), name).toEqual([])
  else if (await hasOpenTable(page)) expect(await findViolations(page, FIRST_THEME), name).toEqual([])
  expect(await findOverhang(page), name).toEqual([])
}

const hasOpenTable = (page: Page) =>
  page.evaluate(async () => {
    // the script of a table may load only now
    for (let frames = 0; frames < 10 && !document.querySelector('table'); frames++)
      await new Promise(requestAnimationFrame)
    return document.querySelector('table') !== null && document.querySelector('[role=dialog]') === null
  })

const findViolations = (page: Page, looks: typeof LOOKS) =>
  page.evaluate(
    async ({ looks, tags, colours, allowed }) => {
      const found: string[] = []
      const frame = () => new Promise((done) => requestAnimationFrame(done))
      // React renders the new width in the first frame, and the browser lays it out in the second.
      await frame()
      await frame()
      // scrolls up, because axe reports targets under the sticky header as too small
      scrollTo(0, 0)
      const judged = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document
      for (const [i, look] of looks.entries()) {
        Object.assign(document.documentElement.dataset, look)
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(judged, {
          runOnly: i === 0 ? { type: 'tag', values: tags } : { type: 'rule', values: colours },
          ...(i === 0 && { rules: allowed }),
          resultTypes: ['violations'],
          elementRef: false,
        })
        for (const { id, nodes } of violations)
          for (const { html, any } of nodes)
            found.push(`${look.theme} ${look.mode}, ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`)
      }
      return found
    },
    { looks, tags: TAGS, colours: COLOURS, allowed: ALLOWED },
  )

/** Finds elements wider than a screen of 320 px, or of 390 px at 200 % text. */
async function findOverhang(page: Page) {
  const found: string[] = []
  for (const { width, size } of [
    { width: 320, size: 100 },
    { width: 390, size: 200 },
  ]) {
    await page.setViewportSize({ width, height: 844 })
    const wide = await page.evaluate(
      async ([most, percent]) => {
        document.documentElement.style.fontSize = `${percent}%`
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        return [document.documentElement, ...document.querySelectorAll('[role=dialog]')]
          .filter(({ scrollWidth }) => scrollWidth > most!)
          .map(({ tagName, scrollWidth }) => `${tagName} is ${scrollWidth} px wide`)
      },
      [width, size],
    )
    found.push(...wide.map((what) => `${width} px, ${size} %: ${what}`))
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  return found
}
