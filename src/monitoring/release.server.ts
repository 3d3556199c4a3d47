import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../kit/database.server.ts'

const ROOT = join(import.meta.dirname, '../..')

export const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

/** The full hash of the running git commit; null without a repository, as in an image. */
export const commit: string | null = findCommit()

/** The running release: '0.1.0+1a2b3c4', or '0.1.0' without a commit. */
export const release = commit ? `${version}+${commit.slice(0, 7)}` : version

function findCommit(): string | null {
  const asked = spawnSync('git', [`--git-dir=${join(ROOT, '.git')}`, 'rev-parse', 'HEAD'], { encoding: 'utf8' })
  return asked.status === 0 ? asked.stdout.trim() : null
}

/** Stores the start of this release, so that later releases can be told from earlier ones. */
export async function recordRelease(db: Db, name = release) {
  await db
    .insertInto('releases')
    .values({ name })
    .onConflict((row) => row.column('name').doNothing())
    .execute()
}
