import { termsOf, type UploadUse } from './uploader.rules.ts'

const DEFAULT_MB = 100

/** The limits of an uploader for this use. The server writes the size limit to the html element. */
export function readTerms(use: UploadUse) {
  const stated = typeof document === 'undefined' ? undefined : document.documentElement.dataset.maxFileMb
  return termsOf(use, Number(stated) || DEFAULT_MB)
}
