import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Checks out the release before the newest migration from the Git history.

const ROOT = join(import.meta.dirname, '..')

const git = (...args: string[]) => {
  const { status, stdout } = spawnSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

export type FormerRelease = { root: string; name: string; missing: string[]; remove: () => void }

/**
 * Returns the former release in a separate folder, with or without its built pages. Null if the Git history is missing,
 * or if the current schema does not extend the former one. `missing` are the migrations that the former release lacks.
 */
export function openFormerRelease(pages: 'built' | 'not built'): FormerRelease | null {
  const newest = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'migrations')
  const commit = newest && git('rev-parse', '--verify', '--quiet', `${newest}^`)
  if (!commit) return null
  const root = join(mkdtempSync(join(tmpdir(), 'primo-former-')), 'shop')
  if (git('worktree', 'add', '--detach', '--force', root, commit) === null) return null
  const remove = () => {
    git('worktree', 'remove', '--force', root)
    rmSync(join(root, '..'), { recursive: true, force: true })
  }
  const own = readdirSync(join(ROOT, 'migrations'))
  const known = new Set(readdirSync(join(root, 'migrations')))
  if (!known.isSubsetOf(new Set(own))) {
    remove()
    return null
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  if (pages === 'built') {
    const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, encoding: 'utf8' })
    if (built.status !== 0) {
      remove()
      throw new Error(`the former release does not build:\n${built.stdout}${built.stderr}`)
    }
  }
  return { root, name: commit.slice(0, 8), missing: own.filter((name) => !known.has(name)), remove }
}

export function migrateBy(root: string, databaseUrl: string) {
  const script = `import(${JSON.stringify(join(root, 'src/kit/schema/migrate.server.ts'))}).then(({ migrate }) => migrate(process.env.URL))`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, URL: databaseUrl },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the migrations of ${root} failed:\n${stderr}`)
}
