export type Drawn = {
  /** Milliseconds since 1970. */
  now: number
  zone: string
  htmlData: Record<string, string | undefined>
}

/** A reply embedded in the page: the body, and the pagination headers of a list. */
export type SentReply = [body: unknown, total?: string | null, link?: string | null]

export type SentReplies = Record<string, SentReply>
