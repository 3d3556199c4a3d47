import * as z from 'zod/mini'
import { withoutGaps } from './gaps.rules.ts'

// Text of users that others read must not contain characters that are invisible or change the direction of other text.

// Matches characters that Unicode defines as invisible or that fonts draw blank, and flags such as England's, which
// consist of a black flag and hidden letters.
const HIDDEN =
  /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]+\u{E007F}|\u{13440}|[\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB\u{1D159}]/gu
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u
// scripts that need joiners: Arabic to N'Ko, those of India, Burmese, Khmer, Mongolian
const JOINING = /^[\u0600-\u0DFF\u1000-\u109F\u1780-\u18AF\uFB50-\uFDFF\uFE70-\uFEFC]$/
const KEY = /^[\d#*]$/
const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u
const CONTROLS = /(?![\s\u0085])\p{Cc}/gu

/** Allows joiners in an emoji and between letters that need them, and variation selectors after a fitting character. */
function isNeeded(hidden: string, before: string, after: string): boolean {
  if (hidden.length > 2) return true
  if (hidden === '\u200D' && PICTURE.test(before) && PICTURE.test(after)) return true
  if (hidden === '\u200C' || hidden === '\u200D') return JOINING.test(before) && JOINING.test(after)
  if (/[\uFE0E\uFE0F]/.test(hidden))
    return KEY.test(before)
      ? after === '\u20E3'
      : before !== '\uFE0F' && (PICTURE.test(before) || /\p{Emoji}/u.test(before))
  if (/[\uFE00-\uFE02\u{E0100}-\u{E01EF}]/u.test(hidden)) return /\p{Script=Han}/u.test(before)
  return /[\u180B-\u180D\u180F]/.test(hidden) && /\p{Script=Mongolian}/u.test(before)
}

export const withoutHidden = (text: string): string =>
  text.replace(HIDDEN, (hidden, at: number, whole: string) => {
    const before = [...whole.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
    const after = String.fromCodePoint(whole.codePointAt(at + hidden.length) ?? 0)
    return isNeeded(hidden, before, after) ? hidden : ''
  })

const seen = (text: string) => (VISIBLE.test(text) ? withoutGaps(text).trim() : '')

const tidyLine = (text: string): string => seen(withoutHidden(text))
export const tidyText = (text: string): string => seen(withoutHidden(text).replace(CONTROLS, ''))

/** A zod step that removes hidden and control characters, long gaps and outer spaces. */
export const tidy = () => z.overwrite(tidyText)

/** Text of one line: tidied, and refused if it has line breaks or other control characters. */
export const oneLine = (missing?: string) =>
  z
    .string(missing)
    .check(z.overwrite(tidyLine), z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Use one line, without control characters.'))
