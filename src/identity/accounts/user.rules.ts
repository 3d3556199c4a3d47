type Named = { firstName: string | null; lastName: string | null }

/** The full name, or 'Digital Store User' when neither name is known. */
export const nameOf = ({ firstName, lastName }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || 'Digital Store User'

/** The initials of first and last name, or 'U'. */
export const initialsOf = ({ firstName, lastName }: Named): string =>
  [firstName, lastName]
    .map((name) => [...(name ?? '').trim()][0] ?? '')
    .join('')
    .toUpperCase() || 'U'
