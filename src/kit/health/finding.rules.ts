export type Finding = {
  /** 'off': the operator did not configure it. */
  grade: 'ok' | 'warn' | 'fail' | 'off'
  about: string
  says: string
  mend?: string
}

export const ok = (about: string, says: string): Finding => ({ grade: 'ok', about, says })
export const warn = (about: string, says: string, mend: string): Finding => ({ grade: 'warn', about, says, mend })
export const off = (about: string, says: string, mend: string): Finding => ({ grade: 'off', about, says, mend })
export const fail = (about: string, says: string, mend: string): Finding => ({ grade: 'fail', about, says, mend })

export const showFinding = ({ grade, about, says, mend }: Finding) =>
  `${grade.padEnd(5)} ${about.padEnd(14)} ${says}${mend ? ` -> ${mend}` : ''}`

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export type Check = {
  name: string
  look: () => Promise<Finding> | Finding
  /** Caches a good result for these seconds, because the check costs another server work. */
  holdsSeconds?: number
  /** The check that this one depends on. While that check fails, this one does not report a failure. */
  leansOn?: string
}

/** Screens poll every five seconds and must show a failure within fifteen. */
export const HOLDS_SECONDS = 6

export const databaseCheck = (name: string, look: () => Promise<Finding>): Check => ({
  name,
  look,
  leansOn: 'database',
})
