import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

// The script of the sign-in pages as plain JavaScript. Node's type stripping takes 18 MB of memory, so the build writes
// the script with the hash of its sources. If the build does not match the sources, the server strips the types itself.

const NAMES = ['password/password.rules.ts', 'passkeys/webauthn.client.ts', 'sign-in/signInPage.client.ts']
const BUILT = join(import.meta.dirname, '../../../dist/.signIn.js')

const readSources = () => NAMES.map((name) => readFileSync(join(import.meta.dirname, '..', name), 'utf8'))
const headOf = (sources: string[]) => `//${hash('sha256', sources.join(''))}\n`

const strip = (sources: string[]) =>
  sources
    .map((source) =>
      stripTypeScriptTypes(source)
        .replace(/^import .*$/gm, '')
        .replace(/^export /gm, '')
        .replace(/^ *(\/\/.*)?\n/gm, ''),
    )
    .join('')

export function readScript(): string {
  const sources = readSources()
  const built = existsSync(BUILT) ? readFileSync(BUILT, 'utf8') : ''
  const head = headOf(sources)
  return built.startsWith(head) ? built.slice(head.length) : strip(sources)
}

export function buildScript(): string {
  const sources = readSources()
  return headOf(sources) + strip(sources)
}
