import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import axe from 'axe-core'
import { type Role, screens, shareStage, show, type Stage } from './screens.ts'
import { watch } from './shop.ts'

// Runs axe on every screen, at the width of a phone and of a desktop. All rules run in the first look. A theme changes
// colours only, so the rules about colours run in the others: on the phone in each theme and mode. On the desktop they run
// in the first theme, except on Home, which has the colours of the sidebar in each theme and mode.

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOURS = ['color-contrast', 'link-in-text-block']
/**
 * The specification locks the zoom of the viewport. Text grows to 200 % in Settings instead (technique G178), where the
 * lock can also be lifted.
 */
const ALLOWED = { 'meta-viewport': { enabled: false } }
const LOOKS = ['royal-blue', 'silver', 'purple'].flatMap((theme) => ['light', 'dark'].map((mode) => ({ theme, mode })))

const FIRST_THEME = LOOKS.slice(0, 2)

const DESKTOP = { width: 1280, height: 800 }

let stage: Stage
test.beforeAll(async ({ browser }) => {
  stage = await shareStage(browser)
})

// The screens of a role share a browser context, so that its cached scripts make each page load cheaper.
const contexts = new Map<Role, BrowserContext>()
test.afterAll(() => Promise.all([...contexts.values()].map((context) => context.close())))

for (const screen of screens) {
  test(`axe finds no violation and no overflow on the screen: ${screen.name}`, async ({ browser }) => {
    const role = screen.as ?? 'shopper'
    const context =
      contexts.get(role) ??
      (await browser.newContext({
        storageState: stage.states[role],
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
      }))
    contexts.set(role, context)
    const page = await context.newPage()
    const faults = watch(page)
    await show(page, screen, stage.things)
    await page.addStyleTag({ content: '* { transition: none !important; animation: none !important }' })
    await page.evaluate(axe.source)
    expect(await findViolations(page, LOOKS)).toEqual([])
    await page.setViewportSize(DESKTOP)
    expect(await findViolations(page, screen.name === 'home' ? LOOKS : FIRST_THEME)).toEqual([])
    expect(await findOverhang(page)).toEqual([])
    await page.close()
    if (!screen.isBroken) expect(faults).toEqual([])
  })
}

const findViolations = (page: Page, looks: typeof LOOKS) =>
  page.evaluate(
    async ({ looks, tags, colours, allowed }) => {
      const found: string[] = []
      const frame = () => new Promise((done) => requestAnimationFrame(done))
      // React renders the new width in the first frame, and the browser lays it out in the second.
      await frame()
      await frame()
      for (const [i, look] of looks.entries()) {
        Object.assign(document.documentElement.dataset, look)
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
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

/** Elements wider than a screen of 320 px, or of 390 px at 200 % text. */
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
  return found
}
