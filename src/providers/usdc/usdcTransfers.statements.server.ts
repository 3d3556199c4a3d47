// Made by `npm run tables` from usdcTransfers.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('usdcTransfers.sql', import.meta.url))

export type LeaseCursorInput = { chainId: number; token: string; isForced: boolean }
export type LeaseCursorRow = {
  chainId: number
  token: string
  blockNumber: number
  version: number
  scannedAt: Date | null
  leaseUntil: Date | null
  trouble: string | null
  troubleAt: Date | null
  isAlarmed: boolean
}
// Leases the scan to one node: each minute, and more often while a transfer is expected or unconfirmed.
export const leaseCursor = find<LeaseCursorInput, LeaseCursorRow>('leaseCursor')

export type NoteTroubleInput = {
  why: string
  isAlarm: boolean
  alarmAfterSeconds: number
  chainId: number
  token: string
}
export type NoteTroubleRow = { isNew: boolean }
export const noteTrouble = find<NoteTroubleInput, NoteTroubleRow>('noteTrouble')

export type WriteTransferInput = {
  chainId: number
  txHash: string
  logIndex: number
  address: string
  sender: string
  units: number
  blockNumber: number
  blockHash: string
  blockAt: Date | string
}
export type WriteTransferRow = { address: string }
// Resets the confirmation of a transfer that moved to another block. Returns no row when nothing changed.
export const writeTransfer = find<WriteTransferInput, WriteTransferRow>('writeTransfer')

export type ListInBlocksInput = { chainId: number; from: number; to: number; watched: string[] }
export type ListInBlocksRow = { id: number; txHash: string; logIndex: number; address: string }
export const listInBlocks = find<ListInBlocksInput, ListInBlocksRow>('listInBlocks')

export type RemoveTransfersInput = { ids: number[] }
export type RemoveTransfersRow = Record<string, never>
// Marks transfers that a reorganisation removed.
export const removeTransfers = find<RemoveTransfersInput, RemoveTransfersRow>('removeTransfers')

export type ConfirmTransfersInput = { chainId: number; from: number; to: number }
export type ConfirmTransfersRow = { address: string }
export const confirmTransfers = find<ConfirmTransfersInput, ConfirmTransfersRow>('confirmTransfers')

export type ListArrivedInput = { chainId: number; token: string; day: string }
export type ListArrivedRow = { txHash: string; logIndex: number; units: number; address: string; isConfirmed: boolean }
// Transfers of a day by the chain's clock, in UTC.
export const listArrived = find<ListArrivedInput, ListArrivedRow>('listArrived')

export type FindArrivedInput = { chainId: number; token: string; refs: string[] }
export type FindArrivedRow = { txHash: string; logIndex: number; units: number }
export const findArrived = find<FindArrivedInput, FindArrivedRow>('findArrived')
