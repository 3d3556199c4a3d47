// The number of a certificate: 'PC-7F3A-92C1-XKQ4'. Its twelve letters are easy to read and impossible to guess.

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12

/** `bytes`: at least twelve random bytes. */
export function numberOf(bytes: Uint8Array): string {
  const letters = [...bytes.subarray(0, LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return `PC-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`
}

export function readNumber(typed: string): string | null {
  const letters = typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/^PC/, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  if (letters.length !== LENGTH || [...letters].some((letter) => !LETTERS.includes(letter))) return null
  return `PC-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`
}

export const certificatePath = (number: string) => `/certificates/${number}`

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })

export const nameDay = (moment: string) => DAY.format(new Date(moment))
