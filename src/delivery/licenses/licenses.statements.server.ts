// Made by `npm run tables` from licenses.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('licenses.sql', import.meta.url))

export type ReadBoughtTermsInput = { lineIds: string[] }
export type ReadBoughtTermsRow = {
  orderLineId: string
  userId: string
  productId: string
  title: string
  prefix: string | null
  devicesPerSeat: number | null
  validDays: number | null
}
// Terms at the time of the order. A gift has the terms of its purchase.
export const readBoughtTerms = find<ReadBoughtTermsInput, ReadBoughtTermsRow>('readBoughtTerms')

export type ReadSettingsInput = { productId: string }
export type ReadSettingsRow = {
  title: string
  prefix: string | null
  devicesPerSeat: number | null
  validDays: number | null
  isSold: boolean
}
export const readSettings = find<ReadSettingsInput, ReadSettingsRow>('readSettings')

export type SetSeatsAsideInput = { quantity: number; lineId: string }
export type SetSeatsAsideRow = { id: string }
// Returns no row if the remaining seats are too few for the buyer's devices.
export const setSeatsAside = find<SetSeatsAsideInput, SetSeatsAsideRow>('setSeatsAside')

export type LockGiftOrderOfKeyInput = { keyHash: Buffer }
export type LockGiftOrderOfKeyRow = Record<string, never>
// Locks the order of a claimed gift's giver, against a refund and a dispute.
export const lockGiftOrderOfKey = find<LockGiftOrderOfKeyInput, LockGiftOrderOfKeyRow>('lockGiftOrderOfKey')

export type LockOrderOfKeyInput = { keyHash: Buffer }
export type LockOrderOfKeyRow = Record<string, never>
export const lockOrderOfKey = find<LockOrderOfKeyInput, LockOrderOfKeyRow>('lockOrderOfKey')

export type FindByKeyInput = { keyHash: Buffer; productId: string }
export type FindByKeyRow = {
  id: string
  productId: string
  orderLineId: string
  userId: string
  prefix: string
  ending: string
  ciphertext: Buffer
  keyHash: Buffer
  seats: number
  expiresAt: Date | null
  revokeReason: string | null
  createdAt: Date
  orderId: string
  buyerId: string
  entitlementId: string
  used: number
  limit: number
  variant: string | null
  state: import('./ownedLicense.contract.ts').LicenseState
}
// A token of a product is also valid for its variants.
export const findByKey = find<FindByKeyInput, FindByKeyRow>('findByKey')

export type FindByIdInput = { id: string; productId: string }
export type FindByIdRow = {
  id: string
  productId: string
  orderLineId: string
  userId: string
  prefix: string
  ending: string
  ciphertext: Buffer
  keyHash: Buffer
  seats: number
  expiresAt: Date | null
  revokeReason: string | null
  createdAt: Date
  orderId: string
  buyerId: string
  entitlementId: string
  used: number
  limit: number
  variant: string | null
  state: import('./ownedLicense.contract.ts').LicenseState
}
export const findById = find<FindByIdInput, FindByIdRow>('findById')

export type FindOwnedInput = { lineId: string; orderId: string; userId: string }
export type FindOwnedRow = {
  id: string
  productId: string
  orderLineId: string
  userId: string
  prefix: string
  ending: string
  ciphertext: Buffer
  keyHash: Buffer
  seats: number
  expiresAt: Date | null
  revokeReason: string | null
  createdAt: Date
  orderId: string
  buyerId: string
  entitlementId: string
  used: number
  limit: number
  variant: string | null
  state: import('./ownedLicense.contract.ts').LicenseState
}
export const findOwned = find<FindOwnedInput, FindOwnedRow>('findOwned')

export type FindOfOrderInput = { orderId: string; productId: string; after: string | null; limit: number }
export type FindOfOrderRow = {
  id: string
  productId: string
  orderLineId: string
  userId: string
  prefix: string
  ending: string
  ciphertext: Buffer
  keyHash: Buffer
  seats: number
  expiresAt: Date | null
  revokeReason: string | null
  createdAt: Date
  orderId: string
  buyerId: string
  entitlementId: string
  used: number
  limit: number
  variant: string | null
  state: import('./ownedLicense.contract.ts').LicenseState
}
export const findOfOrder = find<FindOfOrderInput, FindOfOrderRow>('findOfOrder')

export type ListSoldInput = { productId: string; orderEnding: string | null; after: string | null; limit: number }
export type ListSoldRow = {
  id: string
  productId: string
  orderLineId: string
  userId: string
  prefix: string
  ending: string
  ciphertext: Buffer
  keyHash: Buffer
  seats: number
  expiresAt: Date | null
  revokeReason: string | null
  createdAt: Date
  orderId: string
  buyerId: string
  entitlementId: string
  used: number
  limit: number
  variant: string | null
  state: import('./ownedLicense.contract.ts').LicenseState
}
// Newest key first. `orderEnding` is the end of an order number.
export const listSold = find<ListSoldInput, ListSoldRow>('listSold')

export type RemoveDevicesInput = { licenseId: string; ids: string[] }
export type RemoveDevicesRow = { id: string }
// A place is free once the device's licence file expires.
export const removeDevices = find<RemoveDevicesInput, RemoveDevicesRow>('removeDevices')
