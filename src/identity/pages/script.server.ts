import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { Bytes } from '../../kit/serve/cache.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'

// The sign-in pages need no build: their script is these sources, concatenated, without types.

const SOURCES = ['password/password.rules.ts', 'passkeys/webauthn.client.ts', 'sign-in/signInPage.client.ts']

const code = SOURCES.map((name) =>
  stripTypeScriptTypes(readFileSync(join(import.meta.dirname, '..', name), 'utf8'))
    .replace(/^import .*$/gm, '')
    .replace(/^export /gm, '')
    .replace(/^ *(\/\/.*)?\n/gm, ''),
).join('')

const version = createHash('sha256').update(code).digest('base64url').slice(0, 12)
export const SCRIPT_PATH = '/api/login/pages.js'
export const SCRIPT_ADDRESS = `${SCRIPT_PATH}?v=${version}`

export const script: Bytes = {
  etag: `"${version}"`,
  plain: Buffer.from(code),
  headers: {
    ...COMMON,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  },
}
