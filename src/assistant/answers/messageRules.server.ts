import { CONFIDENCE, SURE } from './certainty.rules.ts'
import { draft } from './draft.rules.ts'
import type { Reading } from './reading.server.ts'
import type { Rule } from './rule.ts'
import { answerSocially, SOCIAL_INTENTS, wantsPerson } from './social.rules.ts'
import { readsEnglish } from './unsure.server.ts'

const asksForProducts = ({ asking }: Reading) => asking.price !== null || asking.sort !== null

/** Rules for messages that need no search. */
export const MESSAGE_RULES: Rule<Reading>[] = [
  {
    name: 'a lesson of staff',
    when: ({ lesson }) => lesson !== null && lesson.score >= SURE.lesson,
    answer: ({ lesson, frame }) =>
      lesson &&
      draft({
        intent: lesson.intent,
        confidence: Math.min(1, lesson.score),
        text: lesson.text,
        tools: ['lessons'],
        sources: ['/help'],
        frame,
      }),
  },
  {
    name: 'another language',
    when: ({ otherLanguage }) => otherLanguage !== null,
    answer: ({ otherLanguage, frame }) => readsEnglish(otherLanguage ?? '', frame),
  },
  {
    name: 'a person',
    when: (question) => wantsPerson(question.typed) && !asksForProducts(question),
    answer: ({ tools }) => answerSocially('person', tools.storeName, CONFIDENCE.person),
  },
  {
    name: 'a greeting',
    when: (question) =>
      question.best !== null &&
      SOCIAL_INTENTS.has(question.best.intent) &&
      question.best.score >= SURE.social &&
      !asksForProducts(question),
    answer: ({ best, tools }) => best && answerSocially(best.intent, tools.storeName, best.score),
  },
]
