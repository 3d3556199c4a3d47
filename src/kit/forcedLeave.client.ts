let isForced = false

/** Leaves the page without a warning about unsaved changes: the session has ended, or the account is another one. */
export function forceLeave(leave: () => void) {
  isForced = true
  leave()
}

export const isLeaveForced = () => isForced
