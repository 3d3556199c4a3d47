import * as z from 'zod/mini'
import { withoutGaps } from './gaps.rules.ts'

// Text of users that others read must not contain characters that are invisible or change the direction of other text.

// direction marks, zero-width spaces, and blank letters
const HIDDEN =
  /\u034F|[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|(?<![\u{1F3F4}\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}])[\u{E0000}-\u{E007F}]+/gu
const JOINERS = /[\u200C\u200D]/g
const EMOJI = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u
// scripts that need joiners: Arabic to N'Ko, those of India, Burmese, Khmer, Mongolian
const JOINING = /^[\u0600-\u0DFF\u1000-\u109F\u1780-\u18AF\uFB50-\uFDFF\uFE70-\uFEFC]$/

/** Keeps joiners within an emoji and between letters that need them. */
export const withoutHidden = (text: string): string =>
  text.replace(HIDDEN, '').replace(JOINERS, (joiner, at: number, whole: string) => {
    const before = [...whole.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
    const after = String.fromCodePoint(whole.codePointAt(at + 1) ?? 0)
    const isOfEmoji = joiner === '\u200D' && EMOJI.test(before) && EMOJI.test(after)
    return isOfEmoji || (JOINING.test(before) && JOINING.test(after)) ? joiner : ''
  })

export const tidyText = (text: string): string => withoutGaps(withoutHidden(text)).trim()

/** A zod step that removes hidden characters, long gaps and outer spaces. */
export const tidy = () => z.overwrite(tidyText)

/** Text of one line: tidied, and refused if it has line breaks or other control characters. */
export const oneLine = (missing?: string) =>
  z.string(missing).check(tidy(), z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Use one line, without control characters.'))
