import { createHash } from 'node:crypto'
import type { Answer } from '../../kit/handle.server.ts'
import { pageHeaders, PERSONAL } from '../../kit/serve/headers.server.ts'
import { html, trustedHtml } from '../../kit/html.server.ts'
import { isPageAddress } from './pages.server.ts'

// Self-contained, because the shop may answer nothing else while the database is away.

const STYLE = `:root{color-scheme:light dark;--bg:oklch(.98 .012 265);--card:oklch(1 0 0);--fg:oklch(.22 .024 265);--muted:oklch(.47 .024 265);--line:oklch(.905 .012 265);--primary:oklch(.48 .21 264);--on:oklch(.99 .005 265)}
@media (prefers-color-scheme:dark){:root{--bg:oklch(.165 .016 265);--card:oklch(.205 .017 265);--fg:oklch(.965 .006 265);--muted:oklch(.74 .014 265);--line:oklch(.3 .017 265);--primary:oklch(.72 .14 264);--on:oklch(.17 .03 265)}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:20px;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif}
main{width:100%;max-width:440px;padding:28px;background:var(--card);border:1px solid var(--line);border-radius:16px}
b{color:var(--primary)}h1{margin:16px 0 8px;font-size:24px;line-height:1.2}p{margin:0 0 20px;color:var(--muted)}
a{display:inline-flex;align-items:center;min-height:44px;padding:0 20px;border-radius:12px;background:var(--primary);color:var(--on);font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid var(--primary);outline-offset:3px}`
const HASH = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`

/** The reply to a page request while the database is away; null for other requests. */
export function createBusyPage({ storeName, isTls }: { storeName: string; isTls: boolean }) {
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Please try again · ${storeName}</title>
        ${trustedHtml(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <b>${storeName}</b>
          <h1>Please try again</h1>
          <p role="alert">The shop is busy at the moment. Nothing is lost: your cart and your orders are kept.</p>
          <a href="">Try again</a>
        </main>
      </body>
    </html> `.html
  const headers = { ...pageHeaders({ isTls }), 'content-security-policy': POLICY, 'cache-control': PERSONAL }
  return (path: string): Answer | null => (isPageAddress(path) ? { status: 503, headers, body } : null)
}
