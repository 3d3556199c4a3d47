import { type Act, actOf } from '../goods/act.rules.ts'
import { readPath, verbOf } from '../reading/verb.rules.ts'
import type { Owned } from './owned.contract.ts'

/** `share` is from 0 to 1. */
export type Progress = { text: string; share: number; isDone: boolean }

type Started = Pick<Owned, 'kind' | 'stop' | 'course'>

/** How far the owner is: 'Page 3 of 4', '2 min left', '2 of 3 lessons'. Null before the start. */
export function progressOf({ kind, stop, course }: Started): Progress | null {
  if (kind === 'course') {
    if (!course || course.done === 0) return null
    const { lessons, done } = course
    return { text: `${done} of ${lessons} lessons`, share: done / lessons, isDone: done === lessons }
  }
  if (!stop || stop.share <= 0) return null
  const { share } = stop
  const isDone = share > 0.995
  return { text: isDone ? 'Finished' : textOf(stop), share, isDone }
}

function textOf({ fileName, place, share }: NonNullable<Owned['stop']>): string {
  const verb = verbOf(fileName)
  if (verb === 'Listen' || verb === 'Watch') return timeLeft(Number(place) * (1 / share - 1))
  // a place in a book has a chapter and a share of it; it has no pages
  const page = /^\d+$/.test(place) ? Number(place) : null
  return page ? `Page ${page} of ${Math.round(page / share)}` : `${Math.max(1, Math.round(share * 100))} % read`
}

function timeLeft(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

/** The page that goes on where the owner stopped, or begins. Null for goods without a page, such as codes. */
export function pageOf(owned: Pick<Owned, 'id' | 'kind' | 'files' | 'stop' | 'course'>): string | null {
  if (owned.kind === 'course') return `/learn/${owned.id}`
  const { id, stop, files } = owned
  if (owned.kind !== 'file' || !files) return null
  if (stop && verbOf(stop.fileName)) return files.count > 1 ? readPath(id, stop.fileId) : readPath(id)
  return verbOf(files.name) ? readPath(id) : null
}

/** The word on the button of a row: 'Resume' once it was begun. */
export function actOfOwned(owned: Pick<Owned, 'kind' | 'files' | 'stop' | 'course'>): Act | 'Resume' {
  const progress = progressOf(owned)
  return progress && !progress.isDone ? 'Resume' : actOf(owned.kind, owned.files?.name)
}
