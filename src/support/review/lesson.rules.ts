import { tokensOf } from '../../assistant/answers/words.rules.ts'
import { type Asker, withoutSecrets } from '../../assistant/model/secrets.rules.ts'
import { MAX_LESSON_LENGTH } from './review.contract.ts'

// A lesson outlives the customer and is compared with every question, so it contains no name, address or number.

const neat = (text: string) =>
  text
    .replace(/\(\s*\)/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/ (?=[,.;:!?)])/g, '')
    .trim()
    .slice(0, MAX_LESSON_LENGTH)

/** Removes addresses, numbers, codes and the customer's name from a question. Staff edit the result. */
export const lessonFrom = (question: string, asker: Asker): string =>
  neat(
    withoutSecrets(question, { asker })
      .replace(/[+#]?\[(?:e-mail|number|code|address|name)\]/g, ' ')
      // Order numbers without a letter, and short telephone numbers.
      .replace(/(?<![\p{L}\p{N}])#?\d{8}(?![\p{L}\p{N}])/gu, ' ')
      .replace(/\+?\d(?:[ ()/-]?\d){5,}/g, ' '),
  )

export const namesAsker = (lesson: string, asker: Asker): boolean => lessonFrom(lesson, asker) !== neat(lesson)

/** Returns true if the lesson has only words of the message, in their order, ignoring case and punctuation. */
export function isVerbatim(lesson: string, message: string): boolean {
  const said = tokensOf(message).values()
  return tokensOf(lesson).every((word) => {
    for (const one of said) if (one === word) return true
    return false
  })
}
