import type pg from 'pg'
import { readLessons } from './answers.statements.server.ts'
import type { Intents } from './intent.server.ts'

/** Other nodes reload the answers of staff after this time. */
const LESSONS_MS = 30_000

/** The answers that staff wrote, by intent. Adds their questions to the examples of `intents`. */
export function openLessons(pool: pg.Pool, intents: Intents) {
  let lessons: { at: number; answers: Map<string, string> } | null = null

  return {
    /** Returns the answers of staff, at most 30 seconds old. */
    async read(): Promise<ReadonlyMap<string, string>> {
      if (lessons && Date.now() - lessons.at < LESSONS_MS) return lessons.answers
      const rows = await readLessons(pool, {})
      intents.add(
        rows.map(({ id, question, slug }) => ({
          text: question,
          intent: slug === null ? `lesson:${id}` : `help:${slug}`,
        })),
      )
      const answers = new Map(
        rows.flatMap(({ id, answer }) => (answer === null ? [] : [[`lesson:${id}`, answer] as const])),
      )
      lessons = { at: Date.now(), answers }
      return answers
    },
    forget: () => (lessons = null),
  }
}
