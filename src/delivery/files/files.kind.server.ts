import type { Kind } from '../kindOfGoods.server.ts'

/** Files have no stock. The entitlement lets the buyer download them. */
export const files: Kind = { name: 'file' }
