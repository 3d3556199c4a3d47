import { toSepa } from './sepa.rules.ts'

export const tidyAccount = (text: string) => text.replaceAll(/[\s-]/g, '').toUpperCase()

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/

export const isIban = (account: string): boolean => IBAN.test(account) && remainder(account) === 1

/** Calculates the ISO 7064 checksum: moves the first four characters to the end and counts letters from 10. */
function remainder(account: string): number {
  const digits = [...(account.slice(4) + account.slice(0, 4))].map((one) => parseInt(one, 36)).join('')
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)
}

const isRouting = (bank: string): boolean =>
  /^\d{9}$/.test(bank) && [...bank].reduce((sum, digit, i) => sum + Number(digit) * [3, 7, 1][i % 3]!, 0) % 10 === 0

type Problem = { field: 'holder' | 'account' | 'bank'; message: string }

export const problemOfHolder = (holder: string): Problem | null =>
  toSepa(holder) === null
    ? { field: 'holder', message: 'Write the name in Latin letters, as your bank writes it.' }
    : null

export function problemOfBank(account: string, bank: string): Problem | null {
  const isForeign = /^[A-Z]{2}\d{2}/.test(account)
  if (isForeign && !isIban(account))
    return { field: 'account', message: 'This IBAN has a typing error. Check it again.' }
  if (!isForeign && !/^\d{4,17}$/.test(account))
    return { field: 'account', message: 'Enter an IBAN, or an account number of 4 to 17 digits.' }
  if (isForeign && !BIC.test(bank)) return { field: 'bank', message: 'Enter the BIC of your bank, 8 or 11 characters.' }
  if (!isForeign && !isRouting(bank))
    return { field: 'bank', message: 'Enter the nine-digit routing number of your bank.' }
  return null
}
