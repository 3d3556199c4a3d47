// Rates the strength of passwords and detects guessable ones. The sign-in pages run this file unbundled.

export type Strength = { score: 0 | 1 | 2 | 3 | 4; word: '' | 'Too short' | 'Weak' | 'Fair' | 'Good' | 'Strong' }

export function strengthOf(password: string, shortest: number): Strength {
  const letters = [...password]
  if (letters.length === 0) return { score: 0, word: '' }
  if (letters.length < shortest) return { score: 1, word: 'Too short' }
  const variety = new Set(letters).size
  if (variety < 5 || isObvious(password.normalize('NFKC').toLowerCase())) return { score: 1, word: 'Weak' }
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const points = Math.min(letters.length, variety * 1.6) + kinds * 2
  if (points < 15) return { score: 2, word: 'Fair' }
  return points < 20 ? { score: 3, word: 'Good' } : { score: 4, word: 'Strong' }
}

export function isObvious(password: string): boolean {
  if (/^(.{1,4}?)\1+.?$/su.test(password)) return true
  if (RUNS.some((run) => run.includes(password))) return true
  const word = plainWord(password)
  return word === '' ? startsAsRun(password) : COMMON.has(word)
}

/** 'P@ssw0rd2024!' -> 'password': undoes common substitutions and trims digits and symbols. */
export function plainWord(password: string): string {
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

/** Compares the first eight digits, because '12345678910' is a run only at its start. */
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
