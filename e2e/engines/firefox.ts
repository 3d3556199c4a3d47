import { launch, type Page } from 'puppeteer-core'
import type { Driver } from './driver.ts'

/** Opens Firefox at the width of a phone, over WebDriver BiDi. */
export async function openFirefox(executablePath: string): Promise<Driver> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    timeout: 120_000,
    // allows pop-ups, because a page opens the payment window after a press
    extraPrefsFirefox: { 'dom.disable_open_during_load': false },
    defaultViewport: { width: 390, height: 844 },
  })
  const first = await browser.newPage()
  let page: Page = first
  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' }).catch(forgiveSame(url))),
    reload: async () => void (await page.reload()),
    read: (expression) => page.evaluate(expression),
    press: async (selector) => (await page.waitForSelector(selector))!.click(),
    type: async (selector, text) => {
      const field = (await page.waitForSelector(selector))!
      await field.click()
      await field.type(text)
    },
    useWindow: async (which) => {
      if (which === 'first') page = first
      else page = (await browser.pages()).at(-1)!
    },
    close: () => browser.close(),
  }
}

/** Ignores the navigation error of a page that redirects while it loads. */
const forgiveSame = (url: string) => (error: unknown) => {
  if (!String(error).includes('navigation')) throw new Error(`no visit to ${url}`, { cause: error })
}
