// Made by `npm run tables` from methods.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('methods.sql', import.meta.url))

export type FindProviderInput = { userId: string }
export type FindProviderRow = { provider: string }
// The provider that the member used or chose last.
export const findProvider = find<FindProviderInput, FindProviderRow>('findProvider')

export type FindDefaultInput = { userId: string; names: string[]; modes: string[] }
export type FindDefaultRow = { rank: number; provider: string; walletId: string | null }
// The default: the member's choice, otherwise the newest saved method, otherwise the main one. A method that the member
// saved after choosing its provider replaces the choice.
export const findDefault = find<FindDefaultInput, FindDefaultRow>('findDefault')
