import { existsSync } from 'node:fs'
import { choose, type Driver, pressNamed, typeInto, until, untilText } from './engines/driver.ts'
import { openFirefox } from './engines/firefox.ts'
import { openWebkit, WEBKIT } from './engines/webkit.ts'
import { join, startOwnShop } from './ownShop.ts'
import { expect, register, test } from './shop.ts'

// Runs a journey in the engines of Firefox and Safari with `npm run e2e`. `npm test` needs only Chromium. Without an
// engine, its test is skipped and the output says so.

const FIREFOX = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr'

/** Skips the test unless the files of `packages` exist. */
function needs(files: string[], packages: string) {
  const missing =
    process.env.E2E_ENGINES === '0' ? 'npm run e2e' : files.every((file) => existsSync(file)) ? null : packages
  if (missing) process.stderr.write(`SKIPPED: ${test.info().title}, which needs ${missing}\n`)
  test.skip(missing !== null, `needs ${missing}`)
}

async function signIn(driver: Driver, url: string, account: { email: string; password: string }) {
  await driver.goto(`${url}/api/login`)
  await typeInto(driver, 'Email', account.email)
  await typeInto(driver, 'Password', account.password)
  await pressNamed(driver, /^Sign in$/)
  await untilText(driver, 'Your Number One Digital Hub')
}

/** Signs in, buys an e-book, reads it and offers a product. */
async function shopFor(driver: Driver, url: string, account: { email: string; password: string }, book: string) {
  await signIn(driver, url, account)
  await driver.goto(`${url}/product/${book}`)
  await pressNamed(driver, /^Add to Cart$/)
  await untilText(driver, 'Added to cart')
  await driver.goto(`${url}/cart`)
  await pressNamed(driver, /^Pay with PayPal$/)
  await expect
    .poll(async () => {
      await driver.useWindow('newest')
      return driver.read('location.pathname').catch(() => '')
    })
    .toMatch(/checkoutnow$/)
  await pressNamed(driver, /^Pay/)
  await driver.useWindow('first')
  await untilText(driver, 'Order placed!')
  await driver.goto(`${url}/library`)
  await pressNamed(driver, /^Read Salt and Time$/)
  await until(driver, `document.querySelector('.reader__text')?.innerText.length > 20`)

  await driver.goto(`${url}/my-products/new`)
  await typeInto(driver, 'Title', 'Slow Trains')
  await typeInto(driver, 'Price', '8.50')
  await choose(driver, 'Category', 'audio')
  await pressNamed(driver, /^Save draft$/)
  await untilText(driver, 'Edit Slow Trains')
}

for (const { engine, files, packages, open } of [
  { engine: 'Firefox', files: [FIREFOX], packages: 'firefox-esr', open: () => openFirefox(FIREFOX) },
  { engine: 'WebKit', files: WEBKIT, packages: 'webkit2gtk-driver, xvfb and openbox', open: openWebkit },
])
  test(`a member signs in, buys, reads and sells in ${engine}`, async ({ page, baseURL }) => {
    needs(files, packages)
    test.slow()
    const account = await register(page)
    const [book] = (await (await page.request.get('/api/products?q=Salt%20and%20Time&limit=1')).json()) as [
      { id: string },
    ]
    const driver = await open()
    try {
      await shopFor(driver, baseURL!, account, book.id)
    } finally {
      await driver.close()
    }
  })

test('Firefox shows the last pages while the shop is unreachable', async ({ request }) => {
  needs([FIREFOX], 'firefox-esr')
  test.slow()
  const shop = await startOwnShop({ NODE_ENV: 'test' })
  const driver = await openFirefox(FIREFOX)
  try {
    await signIn(driver, shop.url, await join(request, shop.url))
    await driver.goto(`${shop.url}/orders`)
    await until(driver, 'navigator.serviceWorker.controller')
    await driver.goto(`${shop.url}/orders`)
    await untilText(driver, 'My Orders')
    await shop.stop()
    for (const [path, words] of [
      ['/orders', 'My Orders'],
      ['/', 'Your Number One Digital Hub'],
    ] as const) {
      await driver.goto(shop.url + path)
      await untilText(driver, words)
    }
  } finally {
    await driver.close()
  }
})
