import { type Act, actOf } from '../goods/act.rules.ts'
import { readPath, verbOf } from '../reading/verb.rules.ts'
import type { KeptFile } from './kept.rules.ts'
import type { Owned } from './owned.contract.ts'
import { actOfOwned, pageOf } from './progress.rules.ts'

/** What a press on a row of the library does. `kept` saves the file that this device stores. */
type Way =
  { way: 'page'; href: string } | { way: 'sheet' | 'files' | 'download' | 'offline' } | { way: 'kept'; file: KeptFile }

export type Opening = { act: Act | 'Resume' } & Way

type Openable = Pick<Owned, 'id' | 'kind' | 'files' | 'stop' | 'course' | 'closedBy'>

/** Null while the thing is closed. */
export function openingOf(owned: Openable, stored: KeptFile[], isOnline: boolean): Opening | null {
  const { id, kind, files, closedBy } = owned
  if (closedBy) return null
  const act = actOfOwned(owned)
  const page = pageOf(owned)
  if (!isOnline && kind !== 'course') {
    const file = stored.find(({ fileName }) => verbOf(fileName)) ?? stored[0]
    if (!file || kind !== 'file') return { act, way: 'offline' }
    if (verbOf(file.fileName)) return { act: actOf(kind, file.fileName), way: 'page', href: readPath(id, file.id) }
    return { act: 'Download', way: 'kept', file }
  }
  if (page) return { act, way: 'page', href: page }
  if (kind === 'code' || kind === 'license') return { act, way: 'sheet' }
  return { act, way: files && files.count > 1 ? 'files' : 'download' }
}
