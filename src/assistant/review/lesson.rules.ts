import { tokensOf } from '../answers/words.rules.ts'
import { withoutSecrets } from '../model/secrets.rules.ts'
import { LONGEST_LESSON } from './review.contract.ts'

// A lesson is read by every customer's question and outlives the one who asked, so it names no person, address or number.

/** The customer whose question becomes a lesson. */
export type Asker = { firstName: string | null; lastName: string | null }

const SHORTEST_NAME = 2

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** One line without what the removed parts leave behind. */
const neat = (text: string) =>
  text
    .replace(/\(\s*\)/g, ' ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/ (?=[,.;:!?)])/g, '')
    .trim()
    .slice(0, LONGEST_LESSON)

/** The words of a question without addresses, numbers, codes and the name of its customer: what staff start from. */
export function lessonFrom(question: string, { firstName, lastName }: Asker): string {
  const names = [firstName, lastName].filter((name) => name !== null && name.trim().length >= SHORTEST_NAME)
  const ofAsker = names.map((name) => escape(name!.trim())).join('|')
  return neat(
    withoutSecrets(question)
      .replace(/\+?\[(?:e-mail|number|code)\]/g, ' ')
      // the short or whole number of an order
      .replace(
        /(?<![\p{L}\p{N}])#?(?=[0-9a-f]*\d)[0-9a-f]{8}(?:-[0-9a-f]{4}){0,3}(?:-[0-9a-f]{12})?(?![\p{L}\p{N}])/giu,
        ' ',
      )
      .replace(/\+?\d(?:[ ()/-]?\d){5,}/g, ' ')
      .replace(ofAsker ? new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${ofAsker})(?![\p{L}\p{N}])`, 'giu') : /(?!)/, ' '),
  )
}

/** True if staff left in what `lessonFrom` takes out. */
export const namesAsker = (lesson: string, asker: Asker): boolean => lessonFrom(lesson, asker) !== neat(lesson)

/** The customer's own words in their order, some of them left out, whatever their case and signs. */
export function isVerbatim(lesson: string, message: string): boolean {
  const said = tokensOf(message).values()
  return tokensOf(lesson).every((word) => {
    for (const one of said) if (one === word) return true
    return false
  })
}
