// Made by `npm run tables` from files.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('files.sql', import.meta.url))

export type FindVersionInput = { entitlementId: string; fileId: string | null }
export type FindVersionRow = { id: string }
// The version of a download: the bought one, or a newer one. Without `fileId`: a newer version of the first file.
export const findVersion = find<FindVersionInput, FindVersionRow>('findVersion')

export type FindFilesInput = { maxStampedBytes: number; isZip: boolean; fileId: string | null; entitlementId: string }
export type FindFilesRow = {
  key: string
  fileName: string
  contentType: string
  sizeBytes: number
  sha256: string
  createdAt: Date
  title: string
  isStamped: boolean
}
export const findFiles = find<FindFilesInput, FindFilesRow>('findFiles')

export type FindNewVersionInput = { fileId: string }
export type FindNewVersionRow = {
  productId: string
  part: number
  title: string
  note: string
  seller: string
  day: string
}
// No row if another file replaced the version or its product is not for sale.
export const findNewVersion = find<FindNewVersionInput, FindNewVersionRow>('findNewVersion')

export type FindBuyersOfVersionInput = {
  productId: string
  part: number
  fileId: string
  after: string | null
  limit: number
}
export type FindBuyersOfVersionRow = { userId: string; email: string; orderId: string }
// Buyers of another version of the same file who want such mails, each with their newest order.
export const findBuyersOfVersion = find<FindBuyersOfVersionInput, FindBuyersOfVersionRow>('findBuyersOfVersion')
