import type { Drawn, SentReplies } from '../../kit/query/firstView.ts'
import type { Currency } from '../../localisation/currency.rules.ts'

export type Plan = {
  /** The part of the URL that the page reads. An outline has a placeholder instead of the id. */
  address: string
  id: string
  reads: string[]
  file: string
}

export type Drawing = { address: string; replies: SentReplies; currency: Currency; drawn: Drawn }

/** The exports of draw.tsx, the entry of the server's bundle. */
export type Drawer = {
  prepare: () => Promise<unknown>
  planOf: (url: string) => Plan | undefined
  timesIn: (zone: string, now: number, firstName: string | null | undefined) => { clock: string; greeting: string }
  /** Renders synchronously, so that concurrent pages do not mix. */
  draw: (drawing: Drawing) => string
}

export type Own = { now: number; zone: string; currency: Currency; replies: SentReplies }
