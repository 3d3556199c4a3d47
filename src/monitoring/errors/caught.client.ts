/** A part of a page that failed to render, and how to retry it. */
export type RenderFault = {
  componentStack: string
  /** Renders the part again. False when it is gone or has rendered already. */
  remount: () => boolean
  /** True while the shopper is still on the page that failed. */
  isHere: () => boolean
  /** Shows a note on the error screen. */
  say: (note: string) => void
}

export type Fault = { error: unknown; render?: RenderFault }

declare global {
  interface Window {
    /** Collects faults. index.html starts it as an array; the monitor replaces it. */
    caught?: { push: (fault: Event | Fault) => unknown }
  }
}

/** Reports a fault to the monitor, at once or as soon as it has loaded. */
export const report = (fault: Fault) => void window.caught?.push(fault)
