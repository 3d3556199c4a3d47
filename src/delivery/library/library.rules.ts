import { plural } from '../../localisation/plural.rules.ts'
import { formatBytes, formatOf } from '../../localisation/sizes.rules.ts'
import { LIBRARY_KINDS, type LibraryFilters } from './filters.rules.ts'
import type { Owned } from './owned.contract.ts'

/** Searches, filters and sorts a fully loaded list like the server. The input is sorted newest first. */
export function pickOwned(things: Owned[], { q, show, sort }: LibraryFilters): Owned[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = things.filter(
    ({ kind, title, bundle, seller }) =>
      (kind === show || !LIBRARY_KINDS.some((known) => known === show)) &&
      words.every((word) => `${title} ${bundle ?? ''} ${seller}`.toLowerCase().includes(word)),
  )
  if (sort === 'title') return found.toSorted((a, b) => a.title.toLowerCase().localeCompare(b.title.toLowerCase()))
  if (sort === 'opened') return found.toSorted((a, b) => (b.openedAt ?? '').localeCompare(a.openedAt ?? ''))
  return found
}

export function describeOwned({ kind, quantity, files }: Owned): string {
  if (kind === 'course') return 'Course'
  if (kind === 'license') return files ? `Licence key and ${plural(files.count, 'file')}` : 'Licence key'
  if (files?.count === 1) return `${formatOf(files.name)}, ${formatBytes(files.sizeBytes)}`
  if (files) return `${files.count} files, ${formatBytes(files.sizeBytes)}`
  return quantity === 1 ? 'One code' : plural(quantity, 'code')
}

export const CLOSED_TEXTS = {
  dispute: 'Closed while the dispute is open',
  refund: 'Closed while its refund is on its way',
}
