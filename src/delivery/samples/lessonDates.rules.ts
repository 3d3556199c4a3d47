import type { LessonSummary } from '../../catalogue/catalogue.contract.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'

export type LaterLesson = LessonSummary['later'][number]

/** Returns the lessons that do not open with the purchase. `today` is a UTC day, 'YYYY-MM-DD'. */
export const openingLater = ({ later }: LessonSummary, today: string): LaterLesson[] =>
  later.filter(({ opensOn }) => opensOn === null || opensOn > today)

/** When a lesson opens, for a buyer of today. */
export const describeOpening = ({ opensOn, opensAfterDays }: LaterLesson): string =>
  opensOn ? `Opens ${formatDay(`${opensOn}T12:00:00Z`)}` : `Opens ${plural(opensAfterDays ?? 0, 'day')} after you buy`
