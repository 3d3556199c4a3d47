// What an error in a browser is called and how bad it is; both sides use it.

export type ErrorType = 'javascript' | 'network' | 'performance'
export type ErrorSeverity = 'low' | 'medium' | 'high' | 'critical'

/** An error as the browser keeps and sends it. */
export type ClientError = {
  id: string
  type: ErrorType
  message: string
  stack: string
  /** Milliseconds since 1970. */
  timestamp: number
  severity: ErrorSeverity
  /** True only after a check has shown that the fix worked. */
  autoFixed: boolean
  userAgent: string
}

const WORDS: [ErrorSeverity, RegExp][] = [
  ['critical', /payment|security|auth/i],
  ['high', /network|api|fetch/i],
  ['medium', /render|component/i],
]

/** How bad an error is, from the words of its message. */
export const severityOf = (message: string): ErrorSeverity =>
  WORDS.find(([, words]) => words.test(message))?.[0] ?? 'low'

/** These are sent at once and one by one; the others wait for company. */
export const isUrgent = (severity: ErrorSeverity): boolean => severity === 'high' || severity === 'critical'

/** What the browser may try against an error, or null. A part is drawn anew only where it has already gone. */
export function fixFor(type: ErrorType, isRender: boolean): 'retry' | 'lighten' | 'redraw' | null {
  if (isRender) return 'redraw'
  return type === 'network' ? 'retry' : type === 'performance' ? 'lighten' : null
}
