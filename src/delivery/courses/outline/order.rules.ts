import { moved } from '../../../kit/values/moved.ts'
import type { OutlinePart } from '../outline.contract.ts'

type Part = Pick<OutlinePart, 'id' | 'isSection'>

/** A section with its lessons. Lessons before the first section have a group without a section. */
export type Group<P> = { section: P | null; lessons: P[] }

export function groupsOf<P extends Part>(parts: P[]): Group<P>[] {
  const groups: Group<P>[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.isSection) groups.push({ section: part, lessons: [] })
    else if (last) last.lessons.push(part)
    else groups.push({ section: null, lessons: [part] })
  }
  return groups
}

const partsOf = <P>(groups: Group<P>[]): P[] =>
  groups.flatMap(({ section, lessons }) => (section ? [section, ...lessons] : lessons))

const groupOf = <P>(groups: Group<P>[], part: P): Group<P> | undefined =>
  groups.find(({ section, lessons }) => section === part || lessons.includes(part))

/** Returns the section of a lesson; null before the first section. */
export const sectionOf = <P extends Part>(parts: P[], lesson: P): P | null =>
  groupOf(groupsOf(parts), lesson)?.section ?? null

/** Returns the sections with a lesson that was elsewhere before, or is new. */
export function changedSections<P extends Part>(before: P[], after: P[]): string[] {
  const former = new Map(
    groupsOf(before).flatMap(({ section, lessons }) => lessons.map(({ id }) => [id, section?.id] as const)),
  )
  return groupsOf(after).flatMap(({ section, lessons }) =>
    section && lessons.some(({ id }) => former.get(id) !== section.id) ? [section.id] : [],
  )
}

/**
 * Moves a lesson by one place, or a section with its lessons past another section. Returns the same list at its ends.
 * Lessons without a section become part of a section that moves before them.
 */
export function movedBy<P extends Part>(parts: P[], part: P, by: 1 | -1): P[] {
  if (!part.isSection) {
    const from = parts.indexOf(part)
    return parts[from + by] ? moved(parts, from, from + by) : parts
  }
  const groups = groupsOf(parts)
  const from = groups.findIndex(({ section }) => section === part)
  return groups[from + by] ? partsOf(moved(groups, from, from + by)) : parts
}

export type Place<P> = { part: P; isAfter: boolean }

/**
 * Returns the place next to which a dragged part lands. A section lands before or after a whole group of `visible`.
 * Null: the part does not move.
 */
export function landingAt<P extends Part>(visible: P[], dragged: P, { part, isAfter }: Place<P>): Place<P> | null {
  if (!dragged.isSection) return part === dragged ? null : { part, isAfter }
  const at = groupOf(groupsOf(visible), part)
  if (!at || at.section === dragged) return null
  const edge = isAfter ? (at.lessons.at(-1) ?? at.section) : (at.section ?? at.lessons[0])
  return edge ? { part: edge, isAfter } : null
}

/** Moves a dragged part next to another one. A section moves with its lessons, next to the group of the other part. */
export function placedAt<P extends Part>(parts: P[], dragged: P, { part, isAfter }: Place<P>): P[] {
  const groups = groupsOf(parts)
  const [own, at] = [groupOf(groups, dragged), groupOf(groups, part)]
  if (!own || !at || part === dragged) return parts
  if (!dragged.isSection) {
    const rest = parts.filter((one) => one !== dragged)
    return rest.toSpliced(rest.indexOf(part) + Number(isAfter), 0, dragged)
  }
  if (own === at) return parts
  const rest = groups.filter((one) => one !== own)
  return partsOf(rest.toSpliced(rest.indexOf(at) + Number(isAfter), 0, own))
}
