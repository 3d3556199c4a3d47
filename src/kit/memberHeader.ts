/** The member an answer belongs to; the service worker deletes it when another one signs in. */
export const MEMBER_HEADER = 'x-member'
