import type { Kind } from '../kindOfGoods.server.ts'

/** Courses, which never run out. The entitlement alone opens the lessons, as they are at the moment. */
export const courses: Kind = { name: 'course' }
