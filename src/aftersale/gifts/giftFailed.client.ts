import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'

export const notifyGiftFailed = (error: unknown, otherwise: string) =>
  toastFailure(error, reasonOf(error, isRefusal) ?? `${otherwise} Please try again.`)
