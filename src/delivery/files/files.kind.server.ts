import type { Kind } from '../kindOfGoods.server.ts'

/** Versions of files, which never run out. The entitlement alone lets the buyer download them. */
export const files: Kind = { name: 'file' }
