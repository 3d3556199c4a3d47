type Named = { firstName: string | null; lastName: string | null }

export const nameOf = ({ firstName, lastName }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || 'Digital Store User'

/** The name that other members see, such as 'Ada O.'. The server uses `shown_name` in identity.views.sql. */
export function shownNameOf({ firstName, lastName }: Named): string {
  const first = firstName?.trim()
  const [initial] = lastName?.trim() ?? ''
  return first ? `${first}${initial ? ` ${initial}.` : ''}` : 'Someone'
}

export const initialsOf = ({ firstName, lastName }: Named): string =>
  [firstName, lastName]
    .map((name) => [...(name ?? '').trim()][0] ?? '')
    .join('')
    .toUpperCase() || 'U'
