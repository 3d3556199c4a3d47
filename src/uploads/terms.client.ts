import { termsOf, type UploadKind } from './uploader.rules.ts'

const DEFAULT_MB = 100

/** The limits of an uploader of this kind. The server writes the size limit to the html element. */
export function readTerms(kind: UploadKind) {
  const stated = typeof document === 'undefined' ? undefined : document.documentElement.dataset.maxFileMb
  return termsOf(kind, Number(stated) || DEFAULT_MB)
}
