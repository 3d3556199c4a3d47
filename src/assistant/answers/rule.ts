import type { Draft } from './answer.ts'

/** One way to answer a question. A null answer means that the whole table has no answer. */
export type Rule<Question> = {
  name: string
  when: (question: Question) => boolean
  answer: (question: Question) => Draft | null | Promise<Draft | null>
}

export const findRule = <Question>(rules: readonly Rule<Question>[], question: Question): Rule<Question> | undefined =>
  rules.find(({ when }) => when(question))

/** Answers by the first rule that applies. Null if no rule applies. */
export async function answerByRules<Question>(
  rules: readonly Rule<Question>[],
  question: Question,
): Promise<Draft | null> {
  const rule = findRule(rules, question)
  return rule === undefined ? null : rule.answer(question)
}
