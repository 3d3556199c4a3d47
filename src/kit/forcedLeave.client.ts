let isForced = false

/**
 * Leaves the page without a warning about unsaved changes: the session has ended, or the account is another one. The first
 * call wins, so that a call that is refused meanwhile does not replace the next page.
 */
export function forceLeave(leave: () => void) {
  if (isForced) return
  isForced = true
  leave()
}

export const isLeaveForced = () => isForced
