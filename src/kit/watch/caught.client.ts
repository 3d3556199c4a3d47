export type RenderFault = {
  componentStack: string
  /** Renders the component again. Returns false if it was unmounted or has rendered already. */
  remount: () => boolean
  isHere: () => boolean
  say: (note: string) => void
}

export type Fault = { error: unknown; render?: RenderFault }

declare global {
  interface Window {
    /** Collects faults. index.html starts it as an array; the monitor replaces it. */
    caught?: { push: (fault: Event | Fault) => unknown }
  }
}

export const report = (fault: Fault) => void window.caught?.push(fault)
