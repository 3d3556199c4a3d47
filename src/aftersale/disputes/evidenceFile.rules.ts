import { SHOWN_BY_FILES } from '../../payments/disputes/disputes.ts'
import { MAX_EVIDENCE_BYTES } from '../../uploads/uploader.rules.ts'
import type { AttachedFile, Free } from './evidenceFile.contract.ts'

/** Pages of a PDF: the lowest limit of the payment providers. */
export const MAX_EVIDENCE_PAGES = 49

/** Returns what can still be attached beside all files of a dispute. */
export const freeBeside = (all: Pick<AttachedFile, 'shows' | 'sizeBytes'>[]): Free => ({
  kinds: SHOWN_BY_FILES.filter((kind) => all.every(({ shows }) => shows !== kind)),
  bytes: all.reduce((left, { sizeBytes }) => left - sizeBytes, MAX_EVIDENCE_BYTES),
})
