import type { Problems } from '../../ui/form/savedForm.rules.ts'
import { type EditedLesson, MAX_DRIP_DAYS } from './outline.contract.ts'

export type Opening = 'now' | 'days' | 'day'

/** A section or lesson as it is typed. */
export type TypedPart = {
  title: string
  text: string
  opening: Opening
  day: string
  days: string
  isPreview: boolean
}

export const typedOf = ({ title, text, opensOn, opensAfterDays, isPreview }: EditedLesson): TypedPart => ({
  ...{ title, text, isPreview, day: opensOn ?? '', days: String(opensAfterDays ?? 7) },
  opening: opensOn ? 'day' : opensAfterDays ? 'days' : 'now',
})

export function problemsOf({ title, opening, day, days }: TypedPart): Problems<'title' | 'day' | 'days'> {
  const count = Number(days)
  const isCount = Number.isInteger(count) && count >= 1 && count <= MAX_DRIP_DAYS
  return {
    ...(title.trim() === '' && { title: 'Give it a title.' }),
    ...(opening === 'day' && day === '' && { day: 'Choose a day.' }),
    ...(opening === 'days' && !isCount && { days: `From 1 to ${MAX_DRIP_DAYS.toLocaleString('en')} days.` }),
  }
}

export const readPart = ({ title, text, opening, day, days, isPreview }: TypedPart) => ({
  ...{ title, text, isPreview },
  opensOn: opening === 'day' ? day : null,
  opensAfterDays: opening === 'days' ? Number(days) : null,
})
