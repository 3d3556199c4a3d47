// Made by `npm run tables` from variant.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('variant.sql', import.meta.url))

export type ReadVariantUseInput = { id: string }
export type ReadVariantUseRow = { isSold: boolean; hasValidCodes: boolean; hasOpenCodes: boolean; isBundled: boolean }
// The facts that prevent the deletion of a variant.
export const readVariantUse = find<ReadVariantUseInput, ReadVariantUseRow>('readVariantUse')
