import { EMAIL, MAX_EMAIL_LENGTH } from './email.rules.ts'
import { isObvious } from '../password/password.rules.ts'

// Validation of account fields. Each check returns the message to show, or null.

export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 200
export const MAX_NAME_LENGTH = 80

export const COMMON_PASSWORD = 'That password is too easy to guess. Choose another one.'

export function emailProblem(email: string): string | null {
  if (email === '') return 'Enter your email address.'
  const isFine = email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email)
  return isFine ? null : 'Enter an email address like ada@example.com.'
}

export function nameProblem(name: string): string | null {
  if ([...name].length > MAX_NAME_LENGTH) return `Use ${MAX_NAME_LENGTH} characters or fewer.`
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? 'Use letters, spaces and punctuation only.' : null
}

export function passwordProblem(password: string, email: string): string | null {
  if (password === '') return 'Choose a password.'
  if ([...password].length < MIN_PASSWORD_LENGTH) return `Use at least ${MIN_PASSWORD_LENGTH} characters.`
  if (password.length > MAX_PASSWORD_LENGTH) return `Use ${MAX_PASSWORD_LENGTH} characters or fewer.`
  if (isObvious(password.normalize('NFKC').toLowerCase())) return COMMON_PASSWORD
  return isAboutEmail(password.toLowerCase(), email) ? 'Choose a password that isn’t your email address.' : null
}

function isAboutEmail(password: string, email: string): boolean {
  const local = email.split('@')[0]!
  if (password === local || password === email) return true
  // the local part of the address with a few more characters, such as a year
  return local.length >= 4 && password.includes(local) && password.length - local.length <= 4
}
