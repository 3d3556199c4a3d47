import { EMAIL, LONGEST_EMAIL } from './email.rules.ts'
import { isObvious } from '../password/password.rules.ts'

// Validation of account fields. Each check returns the message to show, or null.

export const SHORTEST_PASSWORD = 10
export const LONGEST_PASSWORD = 200
export const LONGEST_NAME = 80

export const COMMON_PASSWORD = 'That password is too easy to guess. Choose another one.'

export function emailProblem(email: string): string | null {
  if (email === '') return 'Enter your email address.'
  const isFine = email.length <= LONGEST_EMAIL && EMAIL.test(email)
  return isFine ? null : 'Enter an email address like ada@example.com.'
}

export function nameProblem(name: string): string | null {
  if ([...name].length > LONGEST_NAME) return `Use ${LONGEST_NAME} characters or fewer.`
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? 'Use letters, spaces and punctuation only.' : null
}

export function passwordProblem(password: string, email: string): string | null {
  if (password === '') return 'Choose a password.'
  if ([...password].length < SHORTEST_PASSWORD) return `Use at least ${SHORTEST_PASSWORD} characters.`
  if (password.length > LONGEST_PASSWORD) return `Use ${LONGEST_PASSWORD} characters or fewer.`
  if (isObvious(password.normalize('NFKC').toLowerCase())) return COMMON_PASSWORD
  return isAboutEmail(password.toLowerCase(), email) ? 'Choose a password that isn’t your email address.' : null
}

function isAboutEmail(password: string, email: string): boolean {
  const local = email.split('@')[0]!
  if (password === local || password === email) return true
  // the local part with a year or an exclamation mark
  return local.length >= 4 && password.includes(local) && password.length - local.length <= 4
}
