import { statement } from '../../kit/database.server.ts'

// Who types is announced on the channel of the change feed, to open pages alone. Nothing is stored.

export const notifyCustomerOfTyping = statement<object, [userId: string]>(
  'chat_typing_staff',
  `SELECT pg_notify('members', user_id || ' typing') FROM chat_conversations WHERE user_id = $1`,
)

/** To the pages of staff, while a person answers this customer. */
export const notifyStaffOfTyping = statement<object, [userId: string]>(
  'chat_typing_customer',
  `SELECT pg_notify('members', '* typing:' || user_id) FROM chat_conversations WHERE user_id = $1 AND mode = 'person'`,
)
