import type { Kind } from '../kindOfGoods.server.ts'

/** Courses have no stock. The entitlement opens the current lessons. */
export const courses: Kind = { name: 'course' }
