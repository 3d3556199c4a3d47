import { COMMON_PASSWORD, passwordProblem } from '../accounts/account.rules.ts'
import { plainWord } from './password.rules.ts'

let list: Promise<Set<string>> | undefined

const load = async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'] as string[])
}

/** A listed word with up to this number of additional characters is still common. */
const SHORT_REST = 5

export async function newPasswordProblem(password: string, email: string): Promise<string | null> {
  const problem = passwordProblem(password, email)
  if (problem) return problem
  const common = await (list ??= load())
  const plain = password.normalize('NFKC').toLowerCase()
  const word = plainWord(plain)
  const isWordOnly = plain.length - word.length <= SHORT_REST && common.has(word)
  return isWordOnly || common.has(plain) ? COMMON_PASSWORD : null
}
