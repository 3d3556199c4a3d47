/** The member of a reply. The service worker deletes the cached reply when another member signs in. */
export const MEMBER_HEADER = 'x-member'
