// What `doctor` finds: a line for each thing it looked at.

export type Finding = {
  grade: 'ok' | 'warn' | 'fail'
  about: string
  says: string
  /** What to do about it. */
  mend?: string
}

export const ok = (about: string, says: string): Finding => ({ grade: 'ok', about, says })
export const warn = (about: string, says: string, mend: string): Finding => ({ grade: 'warn', about, says, mend })
export const fail = (about: string, says: string, mend: string): Finding => ({ grade: 'fail', about, says, mend })

export const showFinding = ({ grade, about, says, mend }: Finding) =>
  `${grade.padEnd(5)} ${about.padEnd(11)} ${says}${mend ? ` -> ${mend}` : ''}`
