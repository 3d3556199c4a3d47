import { verbOf } from '../reading/verb.rules.ts'
import type { Owned } from './owned.contract.ts'
import { pageOf, progressOf } from './progress.rules.ts'

export type GoOn = { owned: Owned; href: string; label: string; about: string; share: number }

const DOING = { Read: 'reading', Listen: 'listening', Watch: 'watching' }

/** What the owner goes on with: of goods in this order, the first that opens a page and is not finished. */
export function findGoOn(things: Owned[]): GoOn | null {
  for (const owned of things) {
    const href = pageOf(owned)
    const progress = progressOf(owned)
    if (!href || owned.closedBy || progress?.isDone) continue
    const verb = verbOf(owned.stop?.fileName ?? owned.files?.name ?? '')
    const doing = verb ? DOING[verb] : 'learning'
    return {
      ...{ owned, href },
      label: `${progress || owned.openedAt ? 'Go on' : 'Start'} ${doing}`,
      about: progress?.text ?? '',
      share: progress?.share ?? 0,
    }
  }
  return null
}
