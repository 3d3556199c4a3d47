import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../../kit/handle.server.ts'
import { pageHeaders, PERSONAL } from '../../kit/serve/headers.server.ts'
import { escapeHtml } from '../../kit/html.server.ts'
import { isPageAddress } from './pages.server.ts'
import { required } from '../../kit/values/required.ts'

// Self-contained, because the shop may serve nothing else while the database is down.
const PAGE = readFileSync(join(import.meta.dirname, 'busyPage.html'), 'utf8')
const [, style] = /<style>(.*?)<\/style>/s.exec(PAGE)!
const HASH = createHash('sha256').update(required(style, 'the style of the page')).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`

/** Returns the reply to a page request while the database is down, and null for other requests. */
export function createBusyPage({ storeName, isTls }: { storeName: string; isTls: boolean }) {
  const body = PAGE.replaceAll('%STORE_NAME%', () => escapeHtml(storeName))
  const headers = { ...pageHeaders({ isTls }), 'content-security-policy': POLICY, 'cache-control': PERSONAL }
  return (path: string): Answer | null => (isPageAddress(path) ? { status: 503, headers, body } : null)
}
