import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { trustedHtml } from '../../kit/html.server.ts'
import type { Bytes } from '../../kit/serve/cache.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'
import { readScript } from './script.server.ts'

// The sign-in pages work without a build: the server reads their files when it starts.

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const drawing = (path: string) => trustedHtml(read(path).replace(/\s+/g, ' '))

export const mark = drawing('mark.svg')
export const side = drawing('side.html')
export const mode = read('mode.js').replace(/^ *\/\/.*\n/gm, '')

function asset(path: `/${string}`, type: string, text: string) {
  const plain = Buffer.from(text)
  const version = createHash('sha256').update(plain).digest('base64url').slice(0, 12)
  const headers = { ...COMMON, 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }
  const bytes: Bytes = { etag: `"${version}"`, plain, headers }
  return { path, address: `${path}?v=${version}`, bytes }
}

// these pages always have the default theme
const tokens = read('../../ui/tokens.css').replace(/\[data-theme='(?:silver|purple)'\][^}]*\}\n*/g, '')
const css = (tokens + read('pages.css')).replace(/\/\*.*?\*\/\n*/gs, '')
export const style = asset('/api/login/pages.css', 'text/css; charset=utf-8', css)

export const script = asset('/api/login/pages.js', 'text/javascript; charset=utf-8', readScript())
