import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { openBrowser, openTestNode, type TestNode } from '../../../test/identity.ts'

let node: TestNode
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  node = await openTestNode(made.url)
})
afterAll(async () => {
  await node.close()
  await drop()
})

const email = 'ada@shop.example'
const password = 'tame otters sing'
type Browser = ReturnType<typeof openBrowser>

/** `reach` opens a form and returns its path. */
const forms: [
  name: string,
  reach: (browser: Browser) => Promise<string>,
  form: Record<string, string>,
  status: number,
][] = [
  ['sign-up', async () => '/api/login/sign-up?returnTo=%2Fcart', { email: 'new at shop.example' }, 400],
  [
    'code',
    async (browser) => {
      await node.identity.createUser({ email, password })
      await node.database.pool.query(
        `INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) SELECT id, 'x', now() FROM users WHERE email = $1`,
        [email],
      )
      return (await browser.post('/api/login/password?returnTo=/cart', { email, password })).location!
    },
    { code: '123456' },
    401,
  ],
  [
    'new password',
    async (browser) => {
      await node.identity.createUser({ email, password })
      await browser.post('/api/login/forgot', { email })
      return (await node.mailTo(email)).path
    },
    { password: 'short' },
    400,
  ],
]

test.each(forms)(
  'redirects a browser after a refused %s form to a page that it can reload',
  async (_, reach, form, status) => {
    const browser = openBrowser(node.base)
    const path = await reach(browser)
    const answer = await browser.post(path, form, { 'sec-fetch-dest': 'document' })
    expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/[?&]refused=1$/)])
    const page = await browser.get(answer.location!)
    expect([page.status, page.text.includes('role="alert"')]).toEqual([status, true])
    for (const [name, value] of Object.entries(form))
      expect(page.text.includes(`value="${value}"`), name).toBe(name !== 'password' && name !== 'code')
    // another browser does not show the problem
    const other = await openBrowser(node.base).get(answer.location!)
    expect(other.text.includes('role="alert"')).toBe(false)
    // a script gets the status directly
    expect((await browser.post(path, form)).status).toBe(status)
  },
)
