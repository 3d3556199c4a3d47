import type { ReactNode } from 'react'

/** An error message that screen readers announce; nothing without a text. */
export const Problem = ({ children }: { children: ReactNode }) =>
  children && (
    <p className="field__error" role="alert">
      {children}
    </p>
  )
