// Type and severity of a browser error, for both sides.

export type ErrorType = 'javascript' | 'network' | 'performance'
export type ErrorSeverity = 'low' | 'medium' | 'high' | 'critical'

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

/** Derives the severity from the words of the message. */
export const severityOf = (message: string): ErrorSeverity =>
  WORDS.find(([, words]) => words.test(message))?.[0] ?? 'low'

/** Urgent errors are sent at once, one by one. The others are sent in batches. */
export const isUrgent = (severity: ErrorSeverity): boolean => severity === 'high' || severity === 'critical'

/** The fix that the browser may try, or null. Only a part that failed to render is rendered again. */
export function fixFor(type: ErrorType, isRender: boolean): 'retry' | 'lighten' | 'redraw' | null {
  if (isRender) return 'redraw'
  return type === 'network' ? 'retry' : type === 'performance' ? 'lighten' : null
}
