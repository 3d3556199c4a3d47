type Named = { firstName: string | null; lastName: string | null }

export const nameOf = ({ firstName, lastName }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || 'Digital Store User'

export const initialsOf = ({ firstName, lastName }: Named): string =>
  [firstName, lastName]
    .map((name) => [...(name ?? '').trim()][0] ?? '')
    .join('')
    .toUpperCase() || 'U'
