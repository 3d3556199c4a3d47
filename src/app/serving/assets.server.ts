import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Answer } from '../../kit/handle.server.ts'
import { escapeHtml } from '../../kit/html.server.ts'
import { accepts } from '../../kit/serve/accepted.rules.ts'
import { own } from '../../kit/serve/cache.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
}
const TEXT = /^(text|application|image\/svg)/

export type Asset = { plain: Buffer; etag: string; type: string; br?: Buffer; gzip?: Buffer }
type Assets = Map<string, Asset>

const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1)

export function loadAssets(folder: string, replace: (text: string, escape: typeof escapeJson) => string): Assets {
  const assets: Assets = new Map()
  if (!existsSync(folder)) return assets
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || !type || entry.name.startsWith('.')) continue
    const isPage = entry.name.endsWith('.html')
    const isTemplate = isPage || entry.name.endsWith('.webmanifest')
    const bytes = readFileSync(file)
    const plain = isTemplate ? Buffer.from(replace(bytes.toString(), isPage ? escapeHtml : escapeJson)) : bytes
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    assets.set(file.slice(folder.length).replaceAll('\\', '/'), { plain, type, etag })
  }
  return assets
}

// The PDF library has a megabyte. Maximum compression would block the process for seconds.
const MUCH = 256 * 1024
const qualityOf = ({ plain }: Asset) => (plain.length > MUCH ? 5 : constants.BROTLI_MAX_QUALITY)

export function sendAsset(
  asset: Asset,
  header: (name: string) => string | undefined,
  headers: Record<string, string>,
): Answer {
  const all: Record<string, string> = { ...COMMON, 'content-type': asset.type, etag: asset.etag, ...headers }
  if (header('if-none-match') === asset.etag) return { status: 304, headers: all }
  if (asset.plain.length < 1024 || !TEXT.test(asset.type)) return { status: 200, headers: all, body: asset.plain }
  const accepted = header('accept-encoding')
  all.vary = all.vary ? `${all.vary}, Accept-Encoding` : 'Accept-Encoding'
  if (accepts(accepted, 'br')) {
    asset.br ??= own(
      brotliCompressSync(asset.plain, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityOf(asset) } }),
    )
    return { status: 200, headers: { ...all, 'content-encoding': 'br' }, body: asset.br }
  }
  if (accepts(accepted, 'gzip')) {
    asset.gzip ??= own(gzipSync(asset.plain, { level: 9 }))
    return { status: 200, headers: { ...all, 'content-encoding': 'gzip' }, body: asset.gzip }
  }
  return { status: 200, headers: all, body: asset.plain }
}
