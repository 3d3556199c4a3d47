import { type ChildProcess, spawn } from 'node:child_process'
import { Builder, By, Capabilities, type WebDriver } from 'selenium-webdriver'
import { findFreePort } from '../../src/kit/serve/port.server.ts'
import type { Driver } from './driver.ts'

const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
export const WEBKIT = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb', '/usr/bin/openbox', BROWSER]

/** Opens WebKitGTK on a virtual screen as wide as a phone, because its windows cannot be that narrow. */
export async function openWebkit(): Promise<Driver> {
  const display = `:${90 + (process.pid % 400)}`
  const children: ChildProcess[] = []
  const run = (command: string, ...args: string[]) => {
    // the sandbox of WebKit needs user namespaces, which root does not have here
    const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }
    children.push(spawn(command, args, { env, stdio: 'ignore' }))
  }
  const port = await findFreePort()
  run('/usr/bin/Xvfb', display, '-screen', '0', '390x844x24')
  run('/usr/bin/openbox')
  run('/usr/bin/WebKitWebDriver', `--port=${port}`)
  const stop = () => children.toReversed().forEach((child) => child.kill())
  let driver: WebDriver
  try {
    driver = await build(`http://127.0.0.1:${port}`)
  } catch (error) {
    stop()
    throw error
  }
  const [first] = await driver.getAllWindowHandles()
  return {
    goto: (url) => driver.get(url),
    reload: () => driver.navigate().refresh(),
    read: (expression) => driver.executeScript(`return ${expression}`),
    press: (selector) => driver.findElement(By.css(selector)).click(),
    type: async (selector, text) => {
      const field = driver.findElement(By.css(selector))
      await field.click()
      await field.sendKeys(text)
    },
    useWindow: async (which) => {
      const handles = await driver.getAllWindowHandles()
      await driver.switchTo().window(which === 'first' ? first! : (handles.find((one) => one !== first) ?? first!))
    },
    close: async () => {
      await driver.quit().finally(stop)
    },
  }
}

/** Retries until the screen and the driver accept connections. */
async function build(server: string): Promise<WebDriver> {
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation', '--full-screen'] },
  })
  for (let tries = 0; ; tries++)
    try {
      const driver = await new Builder().usingServer(server).withCapabilities(capabilities).build()
      await driver.manage().window().fullscreen()
      return driver
    } catch (error) {
      if (tries === 20) throw error
      await new Promise((done) => setTimeout(done, 500))
    }
}
