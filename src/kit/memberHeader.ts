/** Says on an answer for whom it was made, so that a browser which keeps it for offline use can forget it in time. */
export const MEMBER_HEADER = 'x-member'
