import { tokensOf } from '../../assistant/answers/words.rules.ts'
import { type Asker, withoutSecrets } from '../../assistant/model/secrets.rules.ts'
import { MAX_LESSON_LENGTH } from './review.contract.ts'

// A lesson is read by every customer's question and outlives the one who asked, so it names no person, address or number.

const neat = (text: string) =>
  text
    .replace(/\(\s*\)/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/ (?=[,.;:!?)])/g, '')
    .trim()
    .slice(0, MAX_LESSON_LENGTH)

/** The words of a question without addresses, numbers, codes and the name of its customer: what staff start from. */
export const lessonFrom = (question: string, asker: Asker): string =>
  neat(
    withoutSecrets(question, { asker })
      .replace(/[+#]?\[(?:e-mail|number|code|address|name)\]/g, ' ')
      // the number of an order without a letter, and short numbers of telephones
      .replace(/(?<![\p{L}\p{N}])#?\d{8}(?![\p{L}\p{N}])/gu, ' ')
      .replace(/\+?\d(?:[ ()/-]?\d){5,}/g, ' '),
  )

export const namesAsker = (lesson: string, asker: Asker): boolean => lessonFrom(lesson, asker) !== neat(lesson)

/** The customer's own words in their order, some of them left out, whatever their case and signs. */
export function isVerbatim(lesson: string, message: string): boolean {
  const said = tokensOf(message).values()
  return tokensOf(lesson).every((word) => {
    for (const one of said) if (one === word) return true
    return false
  })
}
