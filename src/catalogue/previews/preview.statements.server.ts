// Made by `npm run tables` from preview.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('preview.sql', import.meta.url))

export type ReadPreviewsInput = { productId: string }
export type ReadPreviewsRow = {
  id: string
  kind: 'image' | 'audio' | 'video' | 'pdf' | 'epub'
  contentType: string
  sizeBytes: number
  alt: string
  shown: number | null
  whole: number | null
  url: string
}
export const readPreviews = find<ReadPreviewsInput, ReadPreviewsRow>('readPreviews')

export type DeleteStaleCutsInput = { productId: string }
export type DeleteStaleCutsRow = { objectId: string }
// Deletes the samples that were cut from another file than the one that the product sells first.
export const deleteStaleCuts = find<DeleteStaleCutsInput, DeleteStaleCutsRow>('deleteStaleCuts')
