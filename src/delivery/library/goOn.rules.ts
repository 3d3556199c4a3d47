import { verbOf } from '../reading/verb.rules.ts'
import type { GoOn, Owned } from './owned.contract.ts'
import { pageOf, progressOf } from './progress.rules.ts'

const DOING = { Read: 'reading', Listen: 'listening', Watch: 'watching' }

/** Returns the first of these goods that opens a page and is not finished. */
export function findGoOn(things: Owned[]): GoOn | null {
  for (const owned of things) {
    const href = pageOf(owned)
    const progress = progressOf(owned)
    if (!href || owned.closedBy || progress?.isDone) continue
    const { productId, coverId, title, categoryId, imageUrl } = owned
    const verb = verbOf(owned.stop?.fileName ?? owned.files?.name ?? '')
    const doing = verb ? DOING[verb] : 'learning'
    return {
      ...{ href, title, categoryId, imageUrl, coverId: coverId ?? productId },
      label: `${progress || owned.openedAt ? 'Go on' : 'Start'} ${doing}`,
      about: progress?.text ?? '',
      share: progress?.share ?? 0,
    }
  }
  return null
}
