import { createHash } from 'node:crypto'
import type { CodeParts } from '../src/delivery/codes/codeParts.rules.ts'

/** Derives a version 8 UUID from a slug, so that seeding twice adds nothing. */
export function idOf(slug: string) {
  const hex = createHash('sha256').update(slug).digest('hex')
  const variant = ((parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'

export function codesOf({ slug, codes = 0 }: { slug: string; codes?: number }): string[] {
  return Array.from({ length: codes }, (_, i) => {
    const bytes = createHash('sha256').update(`${slug} ${i}`).digest()
    const letters = [...bytes.subarray(0, 12)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
    return `DEMO-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`
  })
}

type Card = Parameters<typeof codesOf>[0] & { categoryId: string }

export const cardsOf = ({ categoryId, ...card }: Card): (string | CodeParts)[] =>
  codesOf(card).map((code) => (categoryId === 'prepaid' ? { code, pin: pinOf(code), serial: '' } : code))

const pinOf = (code: string) =>
  String(createHash('sha256').update(`pin of ${code}`).digest().readUInt32BE() % 10_000).padStart(4, '0')
