import { Failure, isRefusal, reasonOf } from '../../kit/failure.ts'

/** Messages by the path of their field: 'title', 'off.percent'. */
export type Problems<Path extends string = string> = { [path in Path]?: string }

type Checked = { error?: { issues: { path: PropertyKey[]; message: string }[] } }

/** Returns the first problem of each field in the result of a schema check. */
export function problemsIn({ error }: Checked): Problems {
  const problems: Problems = {}
  for (const { path, message } of error?.issues ?? []) problems[path.join('.')] ??= message
  return problems
}

export const changedFields = <V extends object>(before: V, after: V) =>
  (Object.keys(before) as (keyof V & string)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )

/**
 * Merges `theirs`, an edit saved elsewhere. Fields that are unchanged in this form get the saved value. Fields that
 * both edits changed retain the typed value. `both` lists them, so that the user can choose.
 */
export function mergeEdits<V extends object>(base: V, values: V, theirs: V) {
  const [mine, others] = [changedFields(base, values), changedFields(base, theirs)]
  const names = others.filter((name) => !mine.includes(name))
  const taken = Object.fromEntries(names.map((name) => [name, theirs[name]])) as Partial<V>
  const differing = changedFields(values, theirs)
  const both = mine.filter((name) => others.includes(name) && differing.includes(name))
  return { taken, values: { ...values, ...taken }, both }
}

const versionOf = (saved: unknown): number =>
  typeof saved === 'object' && saved !== null && 'version' in saved ? Number(saved.version) : 0

/** Detects a stale response: a read that started before the last save can arrive after the save. */
export const isOlder = (saved: unknown, than: unknown): boolean => versionOf(saved) < versionOf(than)

/** Returns the reason of a refusal. Adds the reported field only if the form shows problems at this field. */
export function readRefusal(error: unknown, hasField: (path: string) => boolean, otherwise: string) {
  const message = reasonOf(error, isRefusal) ?? otherwise
  const path = error instanceof Failure ? error.details?.field : undefined
  if (typeof path !== 'string' || !hasField(path)) return { message }
  return { path, message: message.replace(`${path}: `, '') }
}
