import { expect } from '@playwright/test'
import { isAnswering } from '../shop.ts'

/** A browser that Playwright cannot drive without patches. Presses and keys are real input events. */
export type Driver = {
  goto: (url: string) => Promise<void>
  reload: () => Promise<void>
  /** Evaluates an expression in the page. */
  read: (expression: string) => Promise<unknown>
  press: (selector: string) => Promise<void>
  type: (selector: string, text: string) => Promise<void>
  /** Switches to the newest window, or back to the first one. */
  useWindow: (which: 'first' | 'newest') => Promise<void>
  close: () => Promise<void>
}

const TIMEOUT_MS = 60_000

/** Waits until an expression of the page is true. Retries while the page navigates. */
export const until = (driver: Driver, expression: string) =>
  expect
    .poll(() => driver.read(`Boolean(${expression})`).catch(() => false), {
      timeout: TIMEOUT_MS,
      message: `waits until ${expression}`,
    })
    .toBe(true)

export const untilText = (driver: Driver, text: string) =>
  until(driver, `document.body?.innerText.includes(${JSON.stringify(text)})`)

/** Presses the visible link or button whose name matches. */
export async function pressNamed(driver: Driver, name: RegExp) {
  // the page drops a press that waits too long for the script
  await until(driver, `document.readyState === 'complete' && (${String(isAnswering)})()`)
  await until(
    driver,
    `(() => {
      const nameOf = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim()
      const found = [...document.querySelectorAll('a, button')].find(
        (element) => element.getClientRects().length > 0 && ${String(name)}.test(nameOf(element)))
      for (const old of document.querySelectorAll('[data-aim]')) old.removeAttribute('data-aim')
      found?.setAttribute('data-aim', '')
      found?.scrollIntoView({ block: 'center' })
      return found
    })()`,
  )
  await driver.press('[data-aim]')
}

/** Marks the control with this label, and returns a selector for it. */
async function findControl(driver: Driver, label: string): Promise<string> {
  await until(
    driver,
    `(() => {
      const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent.startsWith(${JSON.stringify(label)}))
      const control = found?.control
      for (const old of document.querySelectorAll('[data-aim]')) old.removeAttribute('data-aim')
      control?.setAttribute('data-aim', '')
      control?.scrollIntoView({ block: 'center' })
      return control
    })()`,
  )
  return '[data-aim]'
}

export const typeInto = async (driver: Driver, label: string, text: string) =>
  driver.type(await findControl(driver, label), text)

/** Chooses an option by script, because no driver can operate the system's list. */
export async function choose(driver: Driver, label: string, value: string) {
  const control = await findControl(driver, label)
  await driver.read(`(() => {
    const select = document.querySelector('${control}')
    select.value = ${JSON.stringify(value)}
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })()`)
}
