import { termsOf, type UploadKind } from './uploader.rules.ts'

const DEFAULT_MB = 100

/** What an uploader of this kind takes in this shop; the limit for files, a setting of the server, stands on the html element. */
export function readTerms(kind: UploadKind) {
  const stated = typeof document === 'undefined' ? undefined : document.documentElement.dataset.maxFileMb
  return termsOf(kind, Number(stated) || DEFAULT_MB)
}
