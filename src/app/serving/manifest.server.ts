import { createHash } from 'node:crypto'
import type { Asset } from './assets.server.ts'

export const MANIFEST_PATH = '/manifest.webmanifest'

/** The manifest of the installable app, with the default look's colours --bg and --primary. */
export function manifestOf(storeName: string): Asset {
  const manifest = {
    id: '/',
    name: storeName,
    short_name: storeName,
    description: 'Your Number One Digital Hub',
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#f4f7fe',
    theme_color: '#f4f7fe',
    categories: ['shopping'],
    icons: [
      { src: '/icons/192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/icons/512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/icons/maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ],
    shortcuts: [
      { name: 'Shop', url: '/categories' },
      { name: 'Cart', url: '/cart' },
      { name: 'Orders', url: '/orders' },
    ],
  }
  const plain = Buffer.from(JSON.stringify(manifest))
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, etag, type: 'application/manifest+json; charset=utf-8' }
}
