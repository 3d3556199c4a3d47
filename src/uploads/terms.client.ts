import { termsOf, type UploadUse } from './uploader.rules.ts'

const DEFAULT_MB = 100

/** Reads the limits of an uploader. The html element has the configured size limit. */
export function readTerms(use: UploadUse) {
  const stated = typeof document === 'undefined' ? undefined : document.documentElement.dataset.maxFileMb
  return termsOf(use, Number(stated) || DEFAULT_MB)
}
