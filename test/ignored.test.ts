import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const files = globSync('{src,demo,sandbox,sdk,scripts,migrations,test,e2e}/**/*.{ts,tsx,sql,css,json,md}', {
  cwd: ROOT,
})
const hasGit = spawnSync('git', ['rev-parse'], { cwd: ROOT }).status === 0

// prettier also reads .gitignore
test.skipIf(!hasGit)('git ignores no source file', () => {
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], {
    cwd: ROOT,
    input: [...files, 'src/account/data/new.ts'].join('\n'),
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})

test('the linter ignores only folders at the root', () => {
  const { ignorePatterns } = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as {
    ignorePatterns: string[]
  }
  expect(ignorePatterns.filter((pattern) => !pattern.startsWith('/'))).toEqual(['node_modules'])
})
