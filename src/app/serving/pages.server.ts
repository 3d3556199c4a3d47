import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mayOpen } from '../../admin/adminPages.ts'
import type { ChatTexts } from '../../support/chat/chatTexts.ts'
import { withBanner } from '../../identity/viewing/banner.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Answer, Page, User } from '../../kit/handle.server.ts'
import { pageHeaders, PERSONAL } from '../../kit/serve/headers.server.ts'
import { escapeHtml } from '../../kit/html.server.ts'
import { MEMBER_HEADER } from '../../kit/memberHeader.ts'
import { release } from '../../monitoring/release.server.ts'
import { type Asset, loadAssets, sendAsset } from './assets.server.ts'
import { isPagePath } from '../shell/paths.ts'

const NOT_PAGES = /^\/(api|assets|images|objects|companion|downloads|sandbox|order|setup|dev)(\/|$)/
/** Returns true for paths of pages, including the sign-in pages. */
export const isPageAddress = (path: string) => !NOT_PAGES.test(path) || path.startsWith('/api/login')
const BONUS_BLOCK = /<div class="[^"]*"><p>%BONUS_TITLE%.*?<\/div>/s
const SANDBOX_BLOCK = /<p class="[^"]*">%SANDBOX_NOTE%<\/p>/
const SANDBOX_NOTE = 'Demonstration: nothing is charged.'
const NEGOTIATED = new Set(['accept-encoding', 'if-none-match'])
const CHAT_TEXT = /%(CHAT_(?:NAME|FEATURE|FEATURE_ABOUT|INTRO))%/g
/** The app without member data. Browsers get it on page paths. The service worker fetches it here. */
const SHELL_PATH = '/index.html'
const WORKER_PATH = '/sw.js'
/** The worker connects only to this origin. Responses that it forwards have their own policies. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; script-src 'self'"

type PagesOptions = {
  distDir: string
  storeName: string
  chat: ChatTexts
  maxFileBytes: number
  /** The bonus of a first purchase with its maximum and its rule. Null in a shop without a bonus. */
  bonus: { title: string; cap: string; rule: string } | null
  isTls: boolean
  isSandbox: boolean
  landing?: (template: string) => (path: string, ip: string) => Promise<Asset>
  /** Returns texts that visitors can read too: help, terms, privacy. Null for other paths. */
  texts?: (path: string, isMember: boolean) => Answer | null
  firstView?: (
    shell: string,
    styleOf: (path: string) => string,
  ) => (page: Page & { user: User }) => Promise<{ body: Buffer; isGzip: boolean } | null>
  payment: { scripts: string[]; connects: string[]; frames: string[] }
  /** Browsers upload and download files there, unless the shop stores them itself. */
  storageOrigin?: string | undefined
  remoteSources?: string[]
  methods: string[]
}

/** Replaces the names and amounts in a built page. `escape` matches the file's format. */
function fillTexts(
  text: string,
  escape: (value: string) => string,
  { bonus, isSandbox, storeName, maxFileBytes, remoteSources = [], methods, chat }: PagesOptions,
): string {
  return (bonus ? text : text.replace(BONUS_BLOCK, ''))
    .replace(isSandbox ? '' : SANDBOX_BLOCK, '')
    .replace('%SANDBOX_NOTE%', SANDBOX_NOTE)
    .replaceAll('%BONUS_TITLE%', () => escapeHtml(bonus?.title ?? ''))
    .replaceAll('%BONUS_CAP%', () => escapeHtml(bonus?.cap ?? ''))
    .replaceAll('%BONUS_RULE%', () => escapeHtml(bonus?.rule ?? ''))
    .replaceAll('%STORE_NAME%', () => escape(storeName))
    .replace('%RELEASE%', release)
    .replace('%MAX_FILE_MB%', String(maxFileBytes / 1024 / 1024))
    .replace('%REMOTE_SOURCES%', remoteSources.join())
    .replace('%METHODS%', methods.join())
    .replace(CHAT_TEXT, (_, name: keyof ChatTexts) => escapeHtml(chat[name]))
}

/** Handles every GET without a route. Members get the app (404 on unknown paths), visitors the landing page. */
export function createPages(options: PagesOptions) {
  const assets = loadAssets(options.distDir, (text, escape) => fillTexts(text, escape, options))
  const template = assets.get('/landing.html')
  const shell = assets.get(SHELL_PATH)
  const draw = shell && options.firstView?.(shell.plain.toString(), (path) => assets.get(path)!.plain.toString())
  const landing = template && options.landing?.(template.plain.toString())
  const hashes = readHashes(options.distDir)
  assets.delete('/csp.json')
  const headers = pageHeaders({
    ...options.payment,
    scripts: [...hashes, ...options.payment.scripts],
    connects: [...options.payment.connects, ...(options.storageOrigin ? [options.storageOrigin] : [])],
    isTls: options.isTls,
  })

  /** Returns a built file. Returns the app without member data only to the service worker. */
  function answerFile(page: Page, path: string): Answer | null {
    // Browsers request it on pages without an icon link.
    const asset = assets.get(path === '/favicon.ico' ? '/favicon.svg' : path)
    if (asset && !path.endsWith('.html'))
      return sendAsset(asset, page.header, {
        'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, no-cache',
        ...(path === WORKER_PATH && { 'content-security-policy': WORKER_POLICY }),
      })
    if (shell && path === SHELL_PATH && page.header('sec-fetch-dest') === 'empty')
      return sendAsset(shell, page.header, { ...headers, 'cache-control': 'public, no-cache' })
    return null
  }

  function answerHtml(page: Page, html: Asset | undefined): Answer {
    if (!html) throw new Failure(503, 'The pages are not built yet. Run npm start.', 'unavailable', { retryAfter: 5 })
    return sendAsset(html, page.header, {
      ...headers,
      'cache-control': 'private, no-cache',
      vary: 'Cookie',
      ...(page.user && { [MEMBER_HEADER]: page.user.id }),
    })
  }

  async function answerMember(page: Page & { user: User }, path: string): Promise<Answer> {
    const { user } = page
    if (!isPagePath(path) || !mayOpen(path, user.role)) {
      const answer = answerHtml(page, shell)
      return answer.status === 200 ? { ...answer, status: 404 } : answer
    }
    const view = user.view ? null : await draw?.(page)
    if (!view) return answerHtml(page, shell)
    return {
      status: 200,
      headers: {
        ...headers,
        'cache-control': PERSONAL,
        vary: 'Cookie, Accept-Encoding',
        [MEMBER_HEADER]: user.id,
        ...(view.isGzip && { 'content-encoding': 'gzip' }),
      },
      body: view.body,
    }
  }

  async function answerAny(page: Page): Promise<Answer> {
    const { user } = page
    const [path = '', ...query] = page.url.split('?')
    const trimmed = path.replace(/\/$/, '')
    // One address per page.
    if (path !== trimmed && path !== '/' && isPagePath(trimmed))
      return { status: 308, headers: { location: [trimmed, ...query].join('?') } }
    const file = answerFile(page, path)
    if (file) return file
    const isFile = /\.[a-z0-9]{1,11}$/i.test(path) && !isPagePath(path)
    if (NOT_PAGES.test(path) || isFile) throw new Failure(404, 'Not found')
    const text = options.texts?.(trimmed, user !== null)
    if (text) return { ...text, headers: { ...text.headers, ...(user && { [MEMBER_HEADER]: user.id }) } }
    if (user) return answerMember({ ...page, user }, path)
    return answerHtml(page, (await landing?.(trimmed, page.ip)) ?? template)
  }

  return async function answerPage(page: Page): Promise<Answer> {
    const { user } = page
    // the service worker stores the app for every member
    if (!user?.view || page.url === SHELL_PATH) return answerAny(page)
    // neither compressed nor 'not modified', so that the banner can be added
    const header = (name: string) => (NEGOTIATED.has(name) ? undefined : page.header(name))
    return withBanner(await answerAny({ ...page, header }), user.id, user.view)
  }
}

function readHashes(distDir: string): string[] {
  try {
    const { scriptHashes } = JSON.parse(readFileSync(join(distDir, 'csp.json'), 'utf8')) as { scriptHashes: string[] }
    return scriptHashes
  } catch {
    return []
  }
}
