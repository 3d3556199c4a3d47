import { maskKey } from '../../delivery/licenses/key.rules.ts'
import type { LicenseState } from '../../delivery/licenses/ownedLicense.contract.ts'

/** A key as the statement of a sale reads it. */
export type SoldKey = {
  id: string
  prefix: string
  ending: string
  state: LicenseState
  seats: number
  used: number
  limit: number
  expiresAt: string | null
}

/** The key as its seller sees it. A refunded key has no seats. */
export const showKey = ({ id, prefix, ending, state, seats, used, limit, expiresAt }: SoldKey) => ({
  ...{ id, masked: maskKey({ prefix, ending }), state, expiresAt, devices: { used, limit } },
  devicesPerSeat: seats === 0 ? 0 : limit / seats,
})
