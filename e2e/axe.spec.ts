import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { screens, shareStage, show, type Stage } from './screens.ts'
import { expect, test } from './shop.ts'

// axe on every screen, on a phone and then as wide as a desktop, in each theme, light and dark. The look is changed in the
// page: a theme changes colours and nothing else, so that all rules run in the first and those about colour in the others.

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOURS = ['color-contrast', 'link-in-text-block']
/**
 * The specification locks the zoom of the viewport. Text grows to 200 % in Settings instead (technique G178), where the
 * lock can also be lifted.
 */
const ALLOWED = { 'meta-viewport': { enabled: false } }
const LOOKS = ['royal-blue', 'silver', 'purple'].flatMap((theme) => ['light', 'dark'].map((mode) => ({ theme, mode })))

const DESKTOP = { width: 1280, height: 800 }

let stage: Stage
test.beforeAll(async ({ browser }) => {
  stage = await shareStage(browser)
})

for (const screen of screens) {
  test(`axe finds nothing, and nothing hangs over, on the screen: ${screen.name}`, async ({ browser, faults }) => {
    const context = await browser.newContext({
      storageState: stage.states[screen.as ?? 'shopper'],
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    await show(page, screen, stage.things)
    await page.addStyleTag({ content: '* { transition: none !important; animation: none !important }' })
    await page.evaluate(axe.source)
    expect(await findViolations(page)).toEqual([])
    await page.setViewportSize(DESKTOP)
    expect(await findViolations(page)).toEqual([])
    expect(await findOverhang(page)).toEqual([])
    await context.close()
    if (screen.isBroken) faults.length = 0
  })
}

const findViolations = (page: Page) =>
  page.evaluate(
    async ({ looks, tags, colours, allowed }) => {
      const found: string[] = []
      const frame = () => new Promise((done) => requestAnimationFrame(done))
      // what a new width shows is there after the first, and laid out after the second
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
    { looks: LOOKS, tags: TAGS, colours: COLOURS, allowed: ALLOWED },
  )

/** What is wider than a screen of 320 px, or of 390 px with text of twice the size. */
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
