import { COMMON_PASSWORD, passwordProblem } from '../accounts/account.rules.ts'
import { plainWord } from './password.rules.ts'

// The fifty thousand passwords that leaked most often, loaded with the first password that is chosen.

let list: Promise<Set<string>> | undefined

const load = async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'] as string[])
}

/** So much around a word of the list makes no other password of it. */
const SHORT_REST = 5

/** What is wrong with a password that somebody chooses, as a sentence; null when it will do. `email` is the account's. */
export async function newPasswordProblem(password: string, email: string): Promise<string | null> {
  const problem = passwordProblem(password, email)
  if (problem) return problem
  const common = await (list ??= load())
  const plain = password.normalize('NFKC').toLowerCase()
  const word = plainWord(plain)
  const isWordOnly = plain.length - word.length <= SHORT_REST && common.has(word)
  return isWordOnly || common.has(plain) ? COMMON_PASSWORD : null
}
