import type { LibraryKind } from '../library/filters.rules.ts'
import { verbOf } from '../reading/verb.rules.ts'

export type Act = 'Read' | 'Listen' | 'Watch' | 'Open course' | 'Show code' | 'Show key' | 'Download'

/** The main action of goods, named by what happens next. `fileName` is the first file. */
export function actOf(kind: LibraryKind, fileName: string | undefined): Act {
  if (kind === 'course') return 'Open course'
  if (kind === 'code') return 'Show code'
  if (kind === 'license') return 'Show key'
  return (fileName && verbOf(fileName)) || 'Download'
}

/** True if the act opens a page. The others open a sheet or start a download. */
export const hasPage = (act: Act): boolean => ['Read', 'Listen', 'Watch', 'Open course'].includes(act)
