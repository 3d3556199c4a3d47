export type Finding = {
  /** 'off': not configured, by choice. */
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
  /** Seconds for which a good answer is cached, where the check costs the other side something. */
  holdsSeconds?: number
  /** An earlier part that this one depends on. While that part fails, this one is not blamed. */
  leansOn?: string
}

/** The screens poll every five seconds and must show a failure within fifteen. */
export const HOLDS_SECONDS = 6

export const databaseCheck = (name: string, look: () => Promise<Finding>): Check => ({
  name,
  look,
  leansOn: 'database',
})
