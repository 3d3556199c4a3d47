export type Drawn = {
  /** Milliseconds since 1970. */
  now: number
  zone: string
  htmlData: Record<string, string | undefined>
}

/** A reply that comes with the page: its body, and the headers that say what follows on a list. */
export type SentReply = [body: unknown, total?: string | null, link?: string | null]

export type SentReplies = Record<string, SentReply>
