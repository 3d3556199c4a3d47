import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const toModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`

/** Hides Companion from a process, as if it were not installed. */
const HIDE = toModule(`import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    if (name === '@uppy/companion') throw new Error('not installed')
    return next(name, context)
  },
})`)

const READ = `const { readConfig } = await import('${pathToFileURL(join(ROOT, 'src/app/settings.server.ts')).href}')
try {
  console.log(Object.keys(readConfig(process.env).remote).join())
} catch (error) {
  console.log(error.message)
}`

const readIn = (env: Record<string, string>, flags: string[] = []) =>
  execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', READ], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  }).trim()

const DROPBOX = { COMPANION_DROPBOX_KEY: 'key', COMPANION_DROPBOX_SECRET: 'secret' }

test('explains how to install Companion when a cloud is configured without it', () => {
  expect(readIn(DROPBOX, ['--import', HIDE])).toBe(
    'COMPANION_DROPBOX_KEY: imports from clouds need a package that is not installed; ' +
      'add it with npm run companion, or to an image with the build argument COMPANION=1.',
  )
  expect(readIn({}, ['--import', HIDE])).toBe('')
  expect(readIn(DROPBOX)).toBe('dropbox')
})

test('adds the tested version with `npm run companion`', () => {
  const { dependencies, devDependencies, scripts } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  expect(scripts?.companion).toContain(` @uppy/companion@${devDependencies?.['@uppy/companion']}`)
  expect(dependencies).not.toHaveProperty('@uppy/companion')
})
