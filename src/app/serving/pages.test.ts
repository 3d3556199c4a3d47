import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chatTexts } from '../../support/chat/chatTexts.ts'
import type { Page, StaffView } from '../../kit/handle.server.ts'
import { createPages } from './pages.server.ts'

const MEMBER_ID = crypto.randomUUID()

/** Sends a request to a shop whose only built page is this file. */
async function ask(
  url: string,
  built: { file: string; html: string },
  {
    isMember = false,
    maxFileBytes = 1,
    bonus = null,
    storeName = 'Primo',
    hasAssistant = true,
    isSandbox = false,
    view,
    headers = {},
  }: {
    isMember?: boolean
    maxFileBytes?: number
    bonus?: { title: string; cap: string; rule: string } | null
    storeName?: string
    hasAssistant?: boolean
    isSandbox?: boolean
    view?: StaffView
    headers?: Record<string, string>
  },
) {
  const distDir = mkdtempSync(join(tmpdir(), 'primo-pages-'))
  onTestFinished(() => rmSync(distDir, { recursive: true }))
  writeFileSync(join(distDir, built.file), built.html)
  const payment = { scripts: [], connects: [], frames: [] }
  const answerPage = createPages({
    distDir,
    storeName,
    chat: chatTexts(hasAssistant),
    maxFileBytes,
    bonus,
    isTls: false,
    isSandbox,
    payment,
    methods: ['paypal'],
  })
  const user = isMember
    ? { id: MEMBER_ID, email: 'a@test.example', role: 'member' as const, ...(view && { view }) }
    : null
  return answerPage({ url, user, header: (name: string) => headers[name] } as unknown as Page)
}

test.each([
  [7, '7'],
  [5000, '5000'],
])('inserts the file limit of %i MB into the pages', async (mb, stated) => {
  const html = '<html data-store-name="%STORE_NAME%" data-max-file-mb="%MAX_FILE_MB%">'
  const { body } = await ask('/', { file: 'index.html', html }, { isMember: true, maxFileBytes: mb * 1024 * 1024 })
  expect(String(body)).toBe(`<html data-store-name="Primo" data-max-file-mb="${stated}">`)
})

test('does not serve the list of script hashes', async () => {
  const built = { file: 'csp.json', html: '{"scriptHashes":[]}' }
  await expect(ask('/csp.json', built, {})).rejects.toMatchObject({ status: 404 })
})

test('writes the name of the store into the manifest as JSON', async () => {
  const storeName = `"Ada's" $' $& $$`
  const { body } = await ask(
    '/manifest.webmanifest',
    { file: 'manifest.webmanifest', html: '{"name":"%STORE_NAME%"}' },
    { storeName },
  )
  expect(JSON.parse(String(body))).toEqual({ name: storeName })
})

test.each([
  [
    { title: '15% <sic>', cap: '$$15', rule: 'Once, & $&' },
    '<div class="small"><p>15% &lt;sic&gt;, up to $$15.</p><details><p>Once, &amp; $&amp;</p></details></div>',
  ],
  [null, ''],
])('shows the bonus with its maximum on the landing page, or none: %j', async (bonus, shown) => {
  const block =
    '<div class="small"><p>%BONUS_TITLE%, up to %BONUS_CAP%.</p><details><p>%BONUS_RULE%</p></details></div>'
  const html = `<div class="small">kept</div>${block}<p>end</p>`
  const { body } = await ask('/', { file: 'landing.html', html }, { bonus })
  expect(String(body)).toBe(`<div class="small">kept</div>${shown}<p>end</p>`)
})

test.each([
  [true, '<p class="small">Demonstration: nothing is charged.</p>'],
  [false, ''],
])('shows visitors whether payments are a sandbox: %s', async (isSandbox, shown) => {
  const html = '<h1>Shop</h1><p class="small">%SANDBOX_NOTE%</p><p>end</p>'
  const { body } = await ask('/', { file: 'landing.html', html }, { isSandbox })
  expect(String(body)).toBe(`<h1>Shop</h1>${shown}<p>end</p>`)
})

test.each([
  ['/categories/', '/categories'],
  ['/categories/?q=tea?', '/categories?q=tea?'],
  ['/help/codes/', '/help/codes'],
  ['//categories/', undefined],
  ['/nowhere/', undefined],
  ['/', undefined],
])('redirects %s to %j', async (url, location) => {
  const { status, headers } = await ask(url, { file: 'landing.html', html: 'landing' }, {})
  expect([status, headers?.location]).toEqual([location ? 308 : 200, location])
})

test.each([
  [true, 'AI Assistant', 'AI Chat Support'],
  [false, 'Support', 'Chat Support'],
])('mentions AI in the texts of the chat only if the assistant answers: %s', async (hasAssistant, name, feature) => {
  const html =
    '<button aria-label="%CHAT_NAME%"><h2>%CHAT_NAME%</h2><h3>%CHAT_FEATURE%</h3><p>%CHAT_FEATURE_ABOUT% %CHAT_INTRO%</p>'
  const { body } = await ask('/', { file: 'landing.html', html }, { hasAssistant })
  expect(String(body)).toContain(`<button aria-label="${name}"><h2>${name}</h2><h3>${feature}</h3>`)
  expect(String(body).includes('ssistant')).toBe(hasAssistant)
  expect(String(body)).not.toContain('%')
})

const APP = { file: 'index.html', html: `<body class="x"><div id="root">${'The app. '.repeat(200)}</div></body>` }
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

test('pages that staff see as a member have a banner, end with the view and are not stored', async () => {
  const view = { staffId: crypto.randomUUID(), name: 'Ada <b>', endsAt: inMinutes(10) }
  const { headers: { etag } = {} } = await ask('/', APP, { isMember: true })
  const headers = { 'accept-encoding': 'br', 'if-none-match': String(etag) }
  const answer = await ask('/orders', APP, { isMember: true, view, headers })
  expect(answer.status).toBe(200)
  expect(String(answer.body)).toMatch(
    /^<body class="x"><aside class="view-banner" id="staff-view".*Read only: you see the shop as <b dir="auto">Ada &lt;b&gt;<\/b>.*action="\/api\/view\/end"><button>End<\/button>.*<\/aside><div id="root">/s,
  )
  const { refresh, ...rest } = answer.headers ?? {}
  expect(String(refresh)).toMatch(new RegExp(`^60[01]; url=/admin/members/${MEMBER_ID}$`))
  expect(rest).toMatchObject({ 'cache-control': 'private, no-store' })
  expect(Object.keys(rest)).not.toEqual(expect.arrayContaining(['etag']))
  expect(Object.keys(rest)).not.toEqual(expect.arrayContaining(['x-member']))
})

test('pages of a member and the app for the service worker have no banner', async () => {
  const view = { staffId: crypto.randomUUID(), name: 'Ada', endsAt: inMinutes(10) }
  expect(String((await ask('/orders', APP, { isMember: true })).body)).toBe(APP.html)
  const headers = { 'sec-fetch-dest': 'empty' }
  expect(String((await ask('/index.html', APP, { isMember: true, view, headers })).body)).toBe(APP.html)
})
