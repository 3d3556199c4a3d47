import type { ReactNode } from 'react'

export const Problem = ({ children }: { children: ReactNode }) =>
  children && (
    <p className="field__error" role="alert">
      {children}
    </p>
  )
