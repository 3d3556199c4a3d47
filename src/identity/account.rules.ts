import * as z from 'zod/mini'

// What may stand in an account. Each check answers the sentence to show, or null when all is well.

export const SHORTEST_PASSWORD = 10
export const LONGEST_PASSWORD = 200
export const LONGEST_EMAIL = 254
export const LONGEST_NAME = 80

const Email = z.email()

/** One spelling for one mailbox, so that an account exists once. */
export const tidyEmail = (text: string) => text.trim().toLowerCase()

export function emailProblem(email: string): string | null {
  if (email === '') return 'Enter your email address.'
  const isFine = email.length <= LONGEST_EMAIL && Email.safeParse(email).success
  return isFine ? null : 'Enter an email address like ada@example.com.'
}

export function nameProblem(name: string): string | null {
  if ([...name].length > LONGEST_NAME) return `Use ${LONGEST_NAME} characters or fewer.`
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? 'Use letters, spaces and punctuation only.' : null
}

/** Length and guessability of a new password; `email` is the account's. */
export function passwordProblem(password: string, email: string): string | null {
  if (password === '') return 'Choose a password.'
  if ([...password].length < SHORTEST_PASSWORD) return `Use at least ${SHORTEST_PASSWORD} characters.`
  if (password.length > LONGEST_PASSWORD) return `Use ${LONGEST_PASSWORD} characters or fewer.`
  if (isObvious(password.normalize('NFKC').toLowerCase())) {
    return 'That is one of the first passwords anybody would try. Choose another.'
  }
  return isAboutEmail(password.toLowerCase(), email) ? 'Choose a password that is not your email address.' : null
}

function isAboutEmail(password: string, email: string): boolean {
  const local = email.split('@')[0]!
  if (password === local || password === email) return true
  // the name with a year or an exclamation mark behind it
  return local.length >= 4 && password.includes(local) && password.length - local.length <= 4
}

function isObvious(password: string): boolean {
  if (/^(.{1,4}?)\1+.?$/su.test(password)) return true
  if (RUNS.some((run) => run.includes(password))) return true
  const word = plainWord(password)
  return word === '' ? startsAsRun(password) : COMMON.has(word)
}

/** 'P@ssw0rd2024!' is 'password': the usual swaps undone, and what stands before and after the letters cut off. */
function plainWord(password: string): string {
  const letters = password
    .replace(/^[^a-z]+|[^a-z]+$/g, '')
    .replace(/[@4]/g, 'a')
    .replace(/[$5]/g, 's')
    .replace(/0/g, 'o')
    .replace(/[1!]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[^a-z]/g, '')
  const half = letters.slice(0, letters.length / 2)
  return half + half === letters ? half : letters
}

/** '12345678910' is no run as a whole, but nobody is fooled by its end. */
const startsAsRun = (digits: string) => RUNS.some((run) => run.includes(digits.slice(0, 8)))

const ROWS = [
  '0123456789012345678901234567890',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklm',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiopqwertyuiop',
  'asdfghjklasdfghjkl',
  'zxcvbnmzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
]
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')])

const COMMON = new Set(
  `password passwort passphrase mypassword newpassword thepassword yourpassword passw pass letmein letmeinnow welcome
  welcomeback welcometo changeme changeit default secret topsecret mysecret admin administrator root superuser sysadmin
  user guest test tester testing testtest login signin access master hello helloworld iloveyou iloveu ilove love lovely
  qwerty qwertyui qwertyuiop qwertz qwertzuiop azerty azertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc
  abc abcd abcde abcdef abcdefgh monkey dragon football baseball basketball hockey soccer superman batman spiderman
  starwars pokemon princess sunshine shadow michael jennifer jordan ashley daniel jessica charlie andrew thomas maggie
  ginger summer winter spring autumn freedom whatever trustno trustnoone computer internet samsung liverpool chelsea
  arsenal barcelona cheese cookie flower purple orange banana chocolate butterfly mustang corvette harley killer hunter
  ranger matrix blink primo primostore store shopping money million lucky jesus christ blessed angel family forever
  correcthorsebatterystaple`.split(/\s+/),
)
