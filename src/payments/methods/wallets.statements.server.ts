// Made by `npm run tables` from wallets.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('wallets.sql', import.meta.url))

export type ListWalletsInput = { userId: string; names: string[]; modes: string[] }
export type ListWalletsRow = { id: string; provider: string; label: string; createdAt: Date }
export const listWallets = find<ListWalletsInput, ListWalletsRow>('listWallets')

export type FindWalletInput = { userId: string; provider: string; mode: string; walletId: string | null }
export type FindWalletRow = { id: string; provider: string; label: string; vaultId: string }
// The newest saved method at a provider, or the one with this id.
export const findWallet = find<FindWalletInput, FindWalletRow>('findWallet')

export type RemoveWalletsInput = { userId: string; walletId: string | null }
export type RemoveWalletsRow = { id: string; provider: string }
// Removes a saved method of the member, or all of them.
export const removeWallets = find<RemoveWalletsInput, RemoveWalletsRow>('removeWallets')

export type MarkIdleInput = { names: string[]; live: string[]; most: number }
export type MarkIdleRow = { id: string; provider: string }
// Lost revocations, oldest first, so that failing ones do not block others. Live wallets need the live provider.
export const markIdle = find<MarkIdleInput, MarkIdleRow>('markIdle')

export type EraseReferencesInput = Record<string, never>
export type EraseReferencesRow = Record<string, never>
// Erases the references of methods that the provider revoked more than an hour ago.
export const eraseReferences = find<EraseReferencesInput, EraseReferencesRow>('eraseReferences')
