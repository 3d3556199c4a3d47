import type { Drawn, SentReplies } from '../../kit/query/firstView.ts'
import type { Currency } from '../../localisation/currency.rules.ts'

/** How the page at a URL is drawn. */
export type Plan = {
  /** The part of the URL that the page reads. An outline has a placeholder instead of the id. */
  address: string
  /** The id in the path, or empty. */
  id: string
  /** The paths that the page reads. */
  reads: string[]
  /** The name of its file. */
  file: string
}

export type Drawing = { address: string; replies: SentReplies; currency: Currency; drawn: Drawn }

/** What draw.tsx exports, the entry of the bundle that the server loads. */
export type Drawer = {
  /** Loads the scripts of the pages. */
  prepare: () => Promise<unknown>
  /** Undefined for no page. */
  planOf: (url: string) => Plan | undefined
  /** The texts of a page that change with the time of day. */
  timesIn: (zone: string, now: number, firstName: string | null | undefined) => { clock: string; greeting: string }
  /** Draws in one step without waiting, so that pages drawn at the same time do not mix. */
  draw: (drawing: Drawing) => string
}

/** What comes with the page for its member. */
export type Own = { now: number; zone: string; currency: Currency; replies: SentReplies }
