import type { CurrentUser } from '../identity.contract.ts'

type Named = Pick<CurrentUser, 'firstName' | 'lastName'>

/** The name that other members see, such as 'Ada O.'. The server uses `shown_name` in identity.views.sql. */
export function shownNameOf({ firstName, lastName }: Named): string {
  const first = firstName?.trim()
  const [initial] = lastName?.trim() ?? ''
  return first ? `${first}${initial ? ` ${initial}.` : ''}` : 'Someone'
}
