import { readPrice } from '../../catalogue/price.rules.ts'

// Prices as other shops and spreadsheets write them: 'US$9.99', '1 234.50', "1'234.50", '９.９９', '$10+'. Pure.

/** `currency` is set if the price is not in US dollars. `isLeast`: buyers may pay more. */
export type Money = { price: string; currency: string | null; isLeast: boolean }

const OURS = new Set(['', '$', 'US$', 'USD', 'USD$', '$USD', 'US'])
/** Currencies by sign. Several currencies use `¥` and `kr`, so these signs stay as they are. */
const SIGNS: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': '¥',
  円: 'JPY',
  元: 'CNY',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  ZŁ: 'PLN',
  KČ: 'CZK',
  KR: 'kr',
  FR: 'CHF',
  R$: 'BRL',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  MX$: 'MXN',
}
const CODES = new Set(Intl.supportedValuesOf('currency'))

const GROUPED = /^\d{1,3}(?:[ '’ʼ]\d{3})+(?:[.,]\d*)?$/
/** Zeros of the digit sets in spreadsheets: Arabic, Persian, Devanagari. */
const ZEROS = [0x660, 0x6f0, 0x966]

const inAscii = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0)!
      const zero = ZEROS.find((at) => code >= at && code < at + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replace(/\s+/g, ' ')
    .trim()

/** Reads a price. Returns any other text unchanged, and the price rules reject it. */
export function readMoney(text: string): Money {
  const plain = inAscii(text)
  const isLeast = plain.endsWith('+')
  const sign = plain
    .replace(/[\d\s.,'’ʼ+-]/g, '')
    .toUpperCase()
    .normalize('NFC')
  const currency = OURS.has(sign) ? null : (SIGNS[sign] ?? (CODES.has(sign) ? sign : undefined))
  if (currency === undefined) return { price: readPrice(text), currency: null, isLeast: false }
  const amount = plain.replace(/\+$/, '').replace(/^[^\d.,-]+|(?<![^\d.,])[^\d.,]+$/g, '')
  return { price: readPrice(GROUPED.test(amount) ? amount.replace(/[ '’ʼ]/g, '') : amount), currency, isLeast }
}
