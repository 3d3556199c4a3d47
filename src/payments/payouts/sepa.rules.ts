// Characters that every bank accepts in a payment file: the Latin set of SEPA (EPC217-08).

const ALLOWED = /^[A-Za-z0-9/?:().,'+ -]$/
/** Characters that Unicode does not decompose into a Latin letter and a mark. */
const REPLACED: Record<string, string> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D' },
  ...{ ð: 'd', Ð: 'D', þ: 'th', Þ: 'TH', ı: 'i', ħ: 'h', Ħ: 'H', ŋ: 'n', Ŋ: 'N', ŧ: 't', Ŧ: 'T' },
  ...{ '&': '+', _: '-', '–': '-', '—': '-', '‘': "'", '’': "'", ʼ: "'", '`': "'", '´': "'", '"': "'" },
  ...{ '“': "'", '”': "'", '„': "'", '«': "'", '»': "'", ';': ',', '@': '(at)', '…': '...' },
}
const isMark = (character: string) => /\p{M}/u.test(character)
const isLetter = (character: string) => /\p{L}/u.test(character)

/** Converts a text to the Latin set. Other signs become spaces. Null if a letter or digit has no Latin form. */
export function toSepa(text: string): string | null {
  const written: string[] = []
  for (const character of text.normalize('NFC')) {
    const [base = '', ...marks] = REPLACED[character] ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
    for (const one of [base, ...marks]) {
      const plain = REPLACED[one] ?? one
      if ([...plain].every((sign) => ALLOWED.test(sign))) written.push(plain)
      else if (isLetter(one) || /\p{N}/u.test(one)) return null
      else if (!isMark(one)) written.push(' ')
    }
  }
  // banks refuse a slash at either end and two in a row
  const tidy = written
    .join('')
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s/]+|[\s/]+$/g, '')
  return /[A-Za-z0-9]/.test(tidy) ? tidy : null
}
