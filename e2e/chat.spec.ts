import type { Browser, Page } from '@playwright/test'
import { expect, fillCart, forgive, newQuestion, ONCE, openStaff, register, signUp, test } from './shop.ts'

const chatButton = (page: Page) => page.getByRole('button', { name: 'AI Assistant' })
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'AI Assistant' })
const inputOf = (page: Page) => page.getByPlaceholder('Type your message...')

async function openChat(page: Page) {
  await chatButton(page).click()
  await expect(panelOf(page)).toBeVisible()
}

/** Staff merge the question of another account into the open conversation, which shows it as a note. */
async function mergeAnother(staff: Page, browser: Browser, question: string) {
  const other = await (await browser.newContext()).newPage()
  const { email } = await register(other, 'Ada')
  await other.request.post('/api/chat', { data: { message: `Again ${question}` } })
  await other.context().close()
  await staff.setViewportSize({ width: 390, height: 500 })
  await staff.reload()
  await expect(staff.getByText('Consectetur adipiscing')).toBeVisible()
  // the messages scroll in their log, so the page ends with the log
  const room = await staff.evaluate(
    () =>
      document.documentElement.scrollHeight -
      document.querySelector('.inbox__thread')!.getBoundingClientRect().bottom -
      scrollY,
  )
  expect(Math.round(room)).toBe(0)
  await staff.getByRole('button', { name: 'About the customer' }).click()
  await staff.getByLabel('The other conversation').selectOption({ label: `Ada, ${email}` })
  await staff.getByRole('button', { name: 'Merge' }).click()
  await staff.getByRole('dialog', { name: 'Merge conversations' }).getByRole('button', { name: 'Merge' }).click()
  await expect(staff.getByText('Their messages are in the notes.').first()).toBeVisible()
  await expect(staff.getByText(`Customer: Again ${question}`)).toBeVisible()
}

test('a member asks, staff answers, and the open chat shows the answer', async ({ page, browser }) => {
  const question = newQuestion()
  await signUp(page, 'Ada')
  await openChat(page)
  const log = panelOf(page).getByRole('log')
  await inputOf(page).fill('Something for a baker, under $20')
  await inputOf(page).press('Enter')
  await expect(log.getByRole('link', { name: /Bread on Weekdays.*\$4\.00/ })).toBeVisible()
  await page.getByRole('button', { name: 'Talk to a person' }).click()
  await expect(log.getByText('You asked for a person.')).toBeVisible()
  await inputOf(page).fill(question)
  await inputOf(page).press('Enter')
  await expect(log.getByText(question)).toBeVisible()
  await expect(inputOf(page)).toHaveValue('')
  const tab = await page.context().newPage()
  await tab.goto('/settings')
  await openChat(tab)
  await expect(panelOf(tab).getByText(question)).toBeVisible()

  const staff = await openStaff(browser)
  await staff.goto('/profile')
  await staff.getByRole('link', { name: 'Staff pages' }).click()
  await expect(staff.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused()
  await staff.goto('/admin/chat')
  await staff.getByRole('link', { name: new RegExp(question) }).click()
  await expect(staff.getByRole('log').getByText(question)).toBeVisible()
  await staff.getByRole('button', { name: 'Take' }).click()
  await expect(staff.getByText(/Asked for a person · .* · You answer/)).toBeVisible()
  await staff.getByRole('button', { name: 'Replies' }).click()
  await staff.getByLabel('Title of the reply').fill(question)
  await staff.getByLabel('Text of the reply').fill('Dolor sit amet, {name}')
  await staff.getByRole('button', { name: 'Save reply' }).click()
  const reply = staff.getByRole('button', { name: `${question} Dolor sit amet, Ada` })
  await staff.getByRole('button', { name: `Delete the reply ${question}` }).click()
  await expect(reply).toBeHidden()
  await staff.getByRole('button', { name: 'Undo' }).click()
  await reply.click()
  await expect(inputOf(staff)).toHaveValue('Dolor sit amet, Ada')
  await expect(inputOf(staff)).toBeFocused()
  await inputOf(staff).press('End')
  await inputOf(staff).pressSequentially('!')
  await expect(log.getByText('A person is typing')).toBeVisible()
  await inputOf(staff).press('Enter')
  await expect(staff.getByRole('log').getByText('Dolor sit amet')).toBeVisible()

  await expect(log.getByText('Dolor sit amet, Ada!')).toBeVisible()
  await expect(log.getByText('A person is typing')).toBeHidden()
  await expect(log.getByText('A', { exact: true })).toBeVisible()
  await expect(panelOf(page).getByText('A person is here now', { exact: true })).toBeVisible()
  // both tabs show the messages of staff and of the other tab
  await expect(panelOf(tab).getByText('Dolor sit amet')).toBeVisible()
  // the staff page subscribes late and typing events are throttled to one per 4 s, so retry
  await expect(async () => {
    await inputOf(tab).fill('')
    await inputOf(tab).fill('Sed from the other tab')
    await expect(staff.getByText('The customer is typing')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await inputOf(tab).press('Enter')
  await expect(log.getByText('Sed from the other tab')).toHaveCount(1)
  await tab.close()

  await page.getByRole('button', { name: 'Close chat' }).click()
  await inputOf(staff).fill('Consectetur adipiscing')
  await staff.getByRole('button', { name: 'Send' }).last().click()
  const unread = page.getByRole('button', { name: 'AI Assistant, new reply' })
  await unread.click()
  await expect(log.getByText('Consectetur adipiscing')).toBeVisible()
  await page.getByRole('button', { name: 'Close chat' }).click()
  const isRead = page.waitForResponse(/\/api\/chat\/status/)
  await page.reload()
  await isRead
  await expect(page.getByRole('button', { name: 'AI Assistant', exact: true })).toBeVisible()
  await mergeAnother(staff, browser, question)
  await staff.context().close()
})

/** Stops a half-written answer that another device requested. */
async function stopWriting(page: Page) {
  const questionId = crypto.randomUUID()
  let stopped: unknown
  await page.route('**/api/chat/status', async (route) => {
    const response = await route.fetch()
    const answering = stopped ? null : { questionId, state: 'working' }
    await route.fulfill({ response, json: { ...((await response.json()) as object), answering } })
  })
  await page.route('**/api/chat/answers/*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: {"text":"Lorem ipsum"}\n\n' }),
  )
  await page.route('**/api/chat/stop', (route) => {
    stopped = route.request().postDataJSON()
    return route.fulfill({ json: { isDone: true } })
  })
  await expect(panelOf(page).getByText('Answering')).toBeVisible()
  await expect(panelOf(page).getByText('Lorem ipsum')).toBeVisible()
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await expect(panelOf(page).getByText('Lorem ipsum')).toBeHidden()
  expect(stopped).toEqual({ questionId })
  await page.unrouteAll({ behavior: 'wait' })
}

/** Retries an answer that broke off two days ago, copies it and reports a problem with it. */
async function tryAgainAndRate(page: Page) {
  const log = panelOf(page).getByRole('log')
  let isTried = false
  await page.route('**/api/chat/status', async (route) => {
    const response = await route.fetch()
    const answering = isTried ? null : { questionId: crypto.randomUUID(), state: 'failed' }
    await route.fulfill({ response, json: { ...((await response.json()) as object), answering } })
  })
  await page.route('**/api/chat', async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const [question, ...answers] = (await response.json()) as { createdAt: string }[]
    const before = new Date(Date.now() - 2 * 24 * 3600_000).toISOString()
    const json = question ? [{ ...question, createdAt: before }, ...(isTried ? answers : [])] : []
    return route.fulfill({ response, json })
  })
  await page.route('**/api/chat/retry', (route) => {
    isTried = true
    return route.fulfill({ json: { isDone: true } })
  })
  await inputOf(page).fill('hello')
  await inputOf(page).press('Enter')
  await expect(log.getByText('The answer broke off.')).toBeVisible()
  await log.getByRole('button', { name: 'Try again' }).click()
  await expect(log.getByText('The answer broke off.')).toBeHidden()
  await expect(log.locator('.chat__day')).toHaveText([/^\w{3,9} \d+/, 'Today'])

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await log.getByRole('button', { name: 'Copy the answer' }).click()
  const answer = await page.evaluate(() => navigator.clipboard.readText())
  await expect(log.getByText(answer)).toBeVisible()
  await log.getByRole('button', { name: 'This did not help' }).click()
  await log.getByLabel('What was wrong?').fill('Too short')
  const rated = page.waitForRequest((request) => request.postData()?.includes('Too short') === true)
  await log.getByRole('button', { name: 'Send' }).click()
  expect((await rated).postDataJSON()).toMatchObject({ rating: -1, reason: 'Too short' })
  await expect(log.getByText('Thank you')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
}

test('the open chat reads messages, and the assistant links the article that helps', async ({ page }) => {
  const reads: string[] = []
  page.on('request', (request) => reads.push(new URL(request.url()).pathname))
  await signUp(page)
  await expect(page.getByRole('heading', { name: 'Featured Products' })).toBeVisible()
  expect(reads).not.toContain('/api/chat')

  await openChat(page)
  await expect(panelOf(page).getByText(/A person answers|Online/)).toBeVisible()
  expect(reads).toContain('/api/chat')
  const address = page.url()
  await page.goBack()
  await expect(panelOf(page)).toBeHidden()
  expect(page.url()).toBe(address)

  await openChat(page)
  await stopWriting(page)
  await tryAgainAndRate(page)
  // the proxy blocks the stream, so the chat polls
  await page.route('**/api/chat/answers/*', (route) => route.fulfill({ status: 404 }))
  await inputOf(page).fill('How do I get a refund?')
  await page.getByRole('button', { name: 'Send' }).click()
  await panelOf(page).getByRole('link', { name: 'Request a refund' }).click()
  await expect(page).toHaveURL(/\/help\/refunds$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Request a refund' })).toBeFocused()
})

test('the newest answer offers next steps on one line, and "Not what I meant" offers other meanings', async ({
  page,
  isMobile,
}) => {
  await signUp(page, 'Ada')
  await openChat(page)
  const log = panelOf(page).getByRole('log')
  const [steps, others] = ['Next steps', 'Other meanings'].map((name) => log.getByRole('group', { name }))
  const ask = async (question: string) => {
    await inputOf(page).fill(question)
    await inputOf(page).press('Enter')
    await expect(log.locator('.msg--me').last()).toContainText(question)
  }
  await ask('How do I get a refund?')
  await expect(steps!.getByRole('link')).toHaveText(['Read the article'])
  await expect(steps!.getByRole('button')).toHaveText(['Ask a person', 'Not what I meant'])
  const missed = steps!.getByRole('button', { name: 'Not what I meant' })
  await missed.focus()
  await page.keyboard.press('Enter')
  const meaning = others!.getByRole('button').first()
  await expect(meaning).toBeFocused()
  await expect(others!.getByRole('button').last()).toHaveText('Ask a person')
  const text = await meaning.innerText()
  await page.keyboard.press('Enter')
  await expect(log.locator('.msg--me').last()).toContainText(text)
  await expect(steps!).toHaveCount(1)
  await expect(others!).toHaveCount(0)

  await ask('How much is Salt and Time?')
  await expect(steps!.getByRole('link', { name: 'Show the product' })).toBeVisible()
  if (isMobile) {
    const boxes = await Promise.all((await steps!.getByRole('button').all()).map((one) => one.boundingBox()))
    expect(new Set(boxes.map((box) => box!.y)).size).toBe(1)
    for (const box of boxes) expect(box!.height).toBeGreaterThanOrEqual(44)
  }
  await steps!.getByRole('button', { name: 'Add to cart: Salt and Time' }).click()
  await expect(page.getByText('Product added to your cart successfully!').first()).toBeVisible()
  await steps!.getByRole('button', { name: 'Something similar' }).click()
  await expect(log.locator('.msg--me').last()).toContainText('Something similar')
  await expect(steps!).toHaveCount(1)
  await ask('xyzzy plugh quux')
  await steps!.getByRole('button', { name: 'Ask a person' }).click()
  await expect(log.getByText('You asked for a person.')).toBeVisible()
  await expect(steps!).toHaveCount(0)
})

test('the chat works by keyboard, refuses empty and long messages, and keeps an unsent one', async ({
  page,
  faults,
}) => {
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/chat')) sent++
  })
  await signUp(page)
  await chatButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(panelOf(page)).toBeVisible()
  await expect(panelOf(page).getByText(/Ask about an order/)).toBeVisible()
  await inputOf(page).focus()
  await page.keyboard.type('First line')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('second')
  await expect(inputOf(page)).toHaveValue('First line\nsecond')
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toBeHidden()
  await expect(chatButton(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(inputOf(page)).toHaveValue('First line\nsecond')

  await inputOf(page).fill('   ')
  await inputOf(page).press('Enter')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await inputOf(page).fill('x'.repeat(2003))
  await expect(page.getByText('At most 2,000 characters. You’re 3 over.')).toBeVisible()
  await inputOf(page).press('Enter')
  await expect(inputOf(page)).toHaveValue('x'.repeat(2003))
  expect(sent).toBe(0)

  // the shop stores the message, but its answer is lost
  let isLost = false
  await page.route('**/api/chat', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch()
    await route.fulfill({ status: 409, json: { message: 'Lost' } })
  })
  await inputOf(page).fill('Lorem ipsum')
  await inputOf(page).press('Enter')
  await expect(page.getByText('Failed to send message. Please try again.').first()).toBeVisible()
  await expect(inputOf(page)).toHaveValue('Lorem ipsum')
  await inputOf(page).press('Enter')
  await expect(inputOf(page)).toHaveValue('')
  await page.reload()
  await openChat(page)
  await expect(panelOf(page).getByRole('log').getByText('Lorem ipsum')).toHaveCount(1)

  // Offline messages wait. Later, one of two tabs sends them in order with its chat closed, and retries after a 429.
  const tab = await page.context().newPage()
  // an open chat would get the refused message back, so the chat of this tab stays closed
  await tab.goto('/settings')
  const refusals = [
    { status: 429, headers: { 'retry-after': '5' }, json: { message: 'Too many' } },
    { status: 400, json: { message: 'We cannot read this.' } },
  ]
  await page.context().route('**/api/chat', async (route) => {
    const refusal = route.request().method() === 'POST' ? refusals.shift() : undefined
    await (refusal ? route.fulfill(refusal) : route.continue())
  })
  await page.context().setOffline(true)
  const send = async (message: string) => {
    await inputOf(page).fill(message)
    await inputOf(page).press('Enter')
    await expect(inputOf(page)).toHaveValue('')
  }
  await send('A refused message')
  await send('Where is my order?')
  await expect(panelOf(page).getByText('Waits for a connection')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await page.context().setOffline(false)
  await expect.poll(() => refusals.length).toBe(1)
  await openChat(page)
  await send('The last one')
  await expect(panelOf(page).getByText('Waits to be sent')).toHaveCount(3)
  await expect(page.getByText('We cannot read this.').first()).toBeVisible()
  // the assistant may give this answer to both questions
  await expect(panelOf(page).getByText('You have no orders yet.').first()).toBeVisible()
  await expect(panelOf(page).getByText('Waits to be sent')).toBeHidden()
  await expect(inputOf(page)).toHaveValue('A refused message')
  const own = panelOf(page).locator('.msg--me .msg__text')
  await expect(own).toHaveText([/Lorem ipsum/, /Where is my order\?/, /The last one/])
  forgive(faults, /ERR_INTERNET_DISCONNECTED|status of (400|429)/)
})

test('the chat asks a signed-out visitor to sign in and keeps the message', async ({ page }) => {
  await page.goto('/')
  await openChat(page)
  await expect(panelOf(page).getByText(/A person answers within a day|Online/)).toBeVisible()
  await inputOf(page).fill('Hello')
  await inputOf(page).press('Enter')
  await expect(page.getByText('Please sign in')).toBeVisible()
  await expect(page.getByText('You need to be signed in to use the chat.')).toBeVisible()
  await expect(inputOf(page)).toHaveValue('Hello')
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toBeHidden()
  await expect(chatButton(page)).toBeFocused()
})

test('Settings links to the chat and to the searchable help center, and #chat opens the chat', async ({ page }) => {
  await register(page)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Contact Support' }).click()
  await expect(panelOf(page)).toBeVisible()
  await page.getByRole('button', { name: 'Close chat' }).click()
  await page.getByRole('link', { name: 'Help Center' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Help Center' })).toBeVisible()
  await page.getByPlaceholder('Search help articles...').fill('dowload expired')
  await expect(page.getByText(/article\(s\) found/)).toBeVisible()
  await page.getByRole('link', { name: /^Download a file/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Download a file' })).toBeVisible()
  await page.goto('/help?q=xyzzyplugh')
  await expect(page.getByText('No articles found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(page.getByRole('heading', { name: 'Selling' })).toBeVisible()
  // mails link to this address
  await page.goto('/#chat')
  await expect(panelOf(page)).toBeVisible()
})

test('the chat button covers neither a control nor a total, at any width', async ({ page }) => {
  await register(page)
  await fillCart(page, 'Salt and Time')
  for (const path of ['/', '/categories', '/cart', '/settings']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await page.mouse.move(0, 0)
    for (const width of [320, 390, 768, 1023, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(page.locator('.skeleton')).toHaveCount(0)
      const button = (await chatButton(page).boundingBox())!
      const covered = await page.evaluate(({ x, y, height }) => {
        // the quiet button has an empty edge, which may overlap the gutter
        const PADDING = 14
        // in the bottom bar next to its links, or to the right of all page content
        const nav = document.querySelector('.nav')!.getBoundingClientRect()
        const isInBar = nav.top > 0 && y >= nav.top && y + height <= innerHeight
        const others = document.querySelectorAll(isInBar ? '.nav__link' : 'main :is(a, button, input, .money, .num)')
        return [...others]
          .filter((other) => other.getBoundingClientRect().right - PADDING > x)
          .map((other) => other.textContent)
      }, button)
      expect(covered, `${path} at ${width} px`).toEqual([])
    }
  }
  // the button slides out under the pointer
  await page.setViewportSize({ width: 900, height: 800 })
  const { x, y } = (await chatButton(page).boundingBox())!
  await page.mouse.move(x + 4, y + 28)
  await page.mouse.down()
  await page.mouse.up()
  await expect(panelOf(page)).toBeVisible()
})

test('Enter sends text that is typed right after an answer, on a slow device', { tag: ONCE }, async ({ page }) => {
  await signUp(page, 'Ada')
  await openChat(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const log = panelOf(page).getByRole('log')
  const answers = log.locator('.msg:not(.msg--me)')
  await inputOf(page).focus()
  for (let round = 1; round <= 6; round++) {
    const before = await answers.count()
    const question = `Something for a baker, under $${10 + round}`
    await page.keyboard.insertText(question)
    await page.keyboard.press('Enter')
    await expect(log.locator('.msg--me').filter({ hasText: question })).toBeVisible()
    await expect(inputOf(page)).toHaveValue('')
    await expect(inputOf(page)).toBeEditable()
    await expect(answers).not.toHaveCount(before)
  }
})
