import { expect, type Page, test as base } from '@playwright/test'

// A test fails on what no customer should meet: an error in the console, an unhandled rejection, a 5xx.

// what the browser itself says of an answer that the page handles, or of one that a test loses on its way, and of a Clear-Site-Data it need not obey over http
const EXPECTED =
  /Failed to load resource: the server responded with a status of (401|403|404|409)|Clear-Site-Data|net::ERR_CONNECTION_RESET|the payment window reports/

export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ context }, use) => {
      const faults: string[] = []
      const watch = (page: Page) => {
        page.on('pageerror', (error) => faults.push(`unhandled: ${error.message}`))
        page.on('console', (message) => {
          if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(`console: ${message.text()}`)
        })
        page.on('response', (response) => {
          if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
        })
      }
      context.on('page', leaveInOrder)
      context.pages().forEach(leaveInOrder)
      context.pages().forEach(watch)
      context.on('page', watch)
      await use(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

/** A dialog that closed takes a step back, which must not meet the way to another page: that waits for it. */
function leaveInOrder(page: Page) {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  const untilBack = () =>
    page.waitForFunction(() => {
      const { dialogs = 0 } = (history.state as { dialogs?: number } | null) ?? {}
      return dialogs <= document.querySelectorAll('[role=dialog], dialog[open]').length
    })
  page.goto = async (...given) => {
    await untilBack()
    return goto(...given)
  }
  page.reload = async (...given) => {
    await untilBack()
    return reload(...given)
  }
}

/** The tag of tests whose outcome does not depend on the width of the screen. */
export const ONCE = '@once'

export type Account = { email: string; password: string }

const newAccount = (): Account => ({
  email: `${crypto.randomUUID()}@test.example`,
  password: `quiet ${crypto.randomUUID()}`,
})

/** A new member, signed in, and no page yet; through the same forms and mail as `signUpByHand`, without looking at them. */
export async function register(page: Page, firstName = 'Robin'): Promise<Account> {
  const account = newAccount()
  const { request } = page.context()
  const headers = { origin: base.info().project.use.baseURL! }
  await request.post('/api/login/sign-up', { form: { firstName, lastName: '', ...account }, headers })
  const mails = await (await request.get('/dev/mail')).text()
  const mail = mails.slice(mails.indexOf(`To ${account.email}`))
  const link = /href="([^"]+)"[^>]*>\s*Confirm/.exec(mail)?.[1]
  if (!link) throw new Error('there is no mail to confirm the address')
  await request.get(link.replaceAll('&amp;', '&'))
  return account
}

/** A new member at home, signed in. */
export async function signUp(page: Page, firstName = 'Robin'): Promise<Account> {
  const account = await register(page, firstName)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()
  return account
}

/** Signs a stranger up through the pages and the mailed link; they arrive at home, signed in. */
export async function signUpByHand(page: Page, firstName = 'Robin'): Promise<Account> {
  const account = newAccount()
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started' }).click()
  await page.getByRole('link', { name: /create (one|an account)|sign up/i }).click()
  await page.getByLabel('First name').fill(firstName)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: /check your email/i })).toBeVisible()
  await openMail(page, account.email)
  await expect(page.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()
  return account
}

/** Follows the link of the newest mail to an address, as /dev/mail shows it. */
async function openMail(page: Page, email: string) {
  await page.goto('/dev/mail')
  await page
    .getByRole('listitem')
    .filter({ hasText: email })
    .first()
    .getByRole('link', { name: 'Confirm', exact: true })
    .click()
}

export async function signIn(page: Page, { email, password }: Account) {
  await page.goto('/api/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your Number One Digital Hub' })).toBeVisible()
}

export async function signOut(page: Page) {
  await page.goto('/settings')
  await page
    .getByRole('link', { name: 'Sign Out' })
    .or(page.getByRole('button', { name: 'Sign Out' }))
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fast and Reliable Digital Services' })).toBeVisible()
}

/** Finds a product by the search field of the shop and puts one into the cart. */
export async function addToCart(page: Page, title: string) {
  await page.goto(`/categories?q=${encodeURIComponent(title)}`)
  await page.getByRole('link', { name: title }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()
}

/** Stops the clock of a page that has one of the test's: what is told stays until the test lets time go on. */
export const stopClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)

/**
 * Waits until everything stands that moves for a while: what moves is half transparent. A colour that changes slowly is
 * followed by what inherits it, so one look is not enough.
 */
export const untilStill = (page: Page) =>
  page.evaluate(async () => {
    const isEnding = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Infinity
    let moving: Animation[] = []
    do {
      await Promise.allSettled(moving.map(({ finished }) => finished))
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
      moving = document.getAnimations().filter(isEnding)
    } while (moving.length > 0)
  })

/** Presses the provider's button and does something in its window. */
export async function payInWindow(
  page: Page,
  act: (popup: Page) => Promise<void>,
  button = page.getByRole('button', { name: 'Pay with PayPal' }),
) {
  const opened = page.waitForEvent('popup')
  await button.click()
  const popup = await opened
  await popup.waitForURL(/checkoutnow/)
  await act(popup)
}

/** Presses a button of the provider's window, which may close under the finger. */
export const press = (name: RegExp) => (popup: Page) =>
  whileItCloses(popup, popup.getByRole('button', { name }).click())

/** Ends with an act in a window, or with the window. */
export async function whileItCloses(popup: Page, act: Promise<void>) {
  await act.catch((error: unknown) => {
    if (!popup.isClosed()) throw error
  })
}

export { expect }
