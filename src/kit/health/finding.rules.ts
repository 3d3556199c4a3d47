// The result of one health check, for `shop doctor` and the status screens.

export type Finding = {
  /** 'off': not configured, by choice. */
  grade: 'ok' | 'warn' | 'fail' | 'off'
  about: string
  says: string
  /** The next step for the operator. */
  mend?: string
}

export const ok = (about: string, says: string): Finding => ({ grade: 'ok', about, says })
export const warn = (about: string, says: string, mend: string): Finding => ({ grade: 'warn', about, says, mend })
export const off = (about: string, says: string, mend: string): Finding => ({ grade: 'off', about, says, mend })
export const fail = (about: string, says: string, mend: string): Finding => ({ grade: 'fail', about, says, mend })

export const showFinding = ({ grade, about, says, mend }: Finding) =>
  `${grade.padEnd(5)} ${about.padEnd(14)} ${says}${mend ? ` -> ${mend}` : ''}`
