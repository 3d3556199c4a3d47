/** A part of a page that could not be drawn, and how to try again. */
export type RenderFault = {
  componentStack: string
  /** Draws the part anew; false when it is not there any more, or drawn already. */
  remount: () => boolean
  /** Whether the customer is still where it failed. */
  isHere: () => boolean
  /** Says on the error screen what is being done. */
  say: (note: string) => void
}

export type Fault = { error: unknown; render?: RenderFault }

declare global {
  interface Window {
    /** Where faults go. index.html begins it as a list; the monitor takes the list over, and its place. */
    caught?: { push: (fault: Event | Fault) => unknown }
  }
}

/** Tells the monitor, now or when it has been loaded. */
export const report = (fault: Fault) => void window.caught?.push(fault)
