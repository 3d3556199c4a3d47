import { codeOf } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'

/** Returns one line that names the cause and, if known, the fix. */
export function explain(error: unknown): string {
  if (error instanceof Failure) return error.message
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ')
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
      return `DATABASE_URL: no database answers there (${codeOf(error)}). Start it, or leave the setting out for the embedded one.`
    case '28P01':
    case '28000':
    case '3D000':
      return `DATABASE_URL: the database refuses (${message}). Correct the user, password or name.`
    case 'ENOSPC':
      return 'The disk is full. Make room and try again.'
    case 'EACCES':
    case 'EPERM':
      return `Not allowed (${message}). Run this as the user that runs the shop.`
    default:
      return `It did not work: ${message}`
  }
}
