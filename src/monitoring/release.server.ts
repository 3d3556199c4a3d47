import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../kit/database.server.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8').trim()

export const { version } = JSON.parse(read('package.json')) as { version: string }

/** The full hash of the running git commit. Null without a repository, as in an image. */
export const commit: string | null = findCommit()

export const release = commit ? `${version}+${commit.slice(0, 7)}` : version

function findCommit(): string | null {
  try {
    const head = read('.git/HEAD')
    const ref = /^ref: (.+)$/.exec(head)?.[1]
    const id = ref ? readRef(ref) : head
    return id && /^[\da-f]{40,64}$/.test(id) ? id : null
  } catch {
    return null
  }
}

function readRef(ref: string): string | undefined {
  try {
    return read(`.git/${ref}`)
  } catch {
    const packed = read('.git/packed-refs').split('\n')
    return packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
  }
}

/** Stores the start of this release, so that later releases can be distinguished from earlier ones. */
export async function recordRelease(db: Db, name = release) {
  await db
    .insertInto('releases')
    .values({ name })
    .onConflict((row) => row.column('name').doNothing())
    .execute()
}
