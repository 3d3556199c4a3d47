import { plural } from '../../localisation/plural.rules.ts'

export type HealthBadge = { look: 'completed' | 'pending' | 'failed'; text: string }

/** The verdict on the shop from the number of troubled parts and of broken ledger rules. Null while one is unknown. */
export function badgeOf(parts: number | undefined, breaches: number | undefined): HealthBadge | null {
  if (breaches !== undefined && breaches > 0)
    return { look: 'failed', text: `${plural(breaches, 'ledger rule')} broken` }
  if (parts !== undefined && parts > 0)
    return { look: 'pending', text: parts === 1 ? '1 part needs attention' : `${parts} parts need attention` }
  return parts === undefined || breaches === undefined ? null : { look: 'completed', text: 'All well' }
}
