import { sql } from 'kysely'

export const openingOf = (boughtAt: Date) => sql<Date | null>`CASE
  WHEN c.opens_on IS NOT NULL THEN c.opens_on::timestamp AT TIME ZONE 'UTC'
  WHEN c.opens_after_days IS NOT NULL THEN ${boughtAt}::timestamptz + c.opens_after_days * interval '1 day' END`
