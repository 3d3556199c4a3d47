import { MAX_GIFTS, MAX_MAILS } from '../../delivery/gifts/gifts.contract.ts'
import { Failure } from '../../kit/failure.ts'

export const UNKNOWN = new Failure(404, 'Not found')
export const OPENED = new Failure(409, 'You have opened it, so it stays yours.', 'opened')
export const NONE_LEFT = new Failure(409, 'So many copies are not left to give.', 'none_left')
export const CLOSED = new Failure(
  409,
  'Its payment is being returned or disputed, so it can’t be given or claimed now.',
  'closed',
)
export const IN_USE = new Failure(409, 'Your devices use these seats. Remove a device first.', 'devices')
export const TOO_MANY = new Failure(409, `${MAX_GIFTS} gifts of one purchase are the most.`, 'too_many')
export const CLAIMED = new Failure(409, 'This gift has been claimed already.', 'claimed')
export const OVER = new Failure(409, 'This gift was taken back.', 'gift_over')
export const OWN = new Failure(409, 'You are giving this away. Take it back on your order to keep it.', 'own_gift')
export const HAVE_IT = new Failure(
  409,
  'You have this already, so the gift stays unclaimed. Pass the link on to someone who doesn’t.',
  'already_owned',
)
export const TOO_LATE = new Failure(400, 'sendAt: Choose a day within a year', 'invalid', {
  details: { field: 'sendAt' },
})
export const ADDRESS = new Failure(400, 'Leave web addresses out.')
export const BAD_KEY = new Failure(400, 'Idempotency-Key: give 1 to 255 characters.')
export const KEY_REUSED = new Failure(422, 'This idempotency key was used for another gift.', 'key_reused')
export const TOO_MANY_MAILS = new Failure(
  409,
  `${MAX_MAILS} mails of gifts reach one address from you in a day. Choose another day, or pass the link on yourself.`,
  'too_many_mails',
)
export const NOT_GIFTABLE = new Failure(409, 'This can’t be given away.', 'not_giftable')
