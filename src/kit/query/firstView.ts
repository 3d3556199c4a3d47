/** What the server drew the first view with. The browser draws the same with it, and only then what it knows better. */
export type Drawn = {
  /** Milliseconds since 1970. */
  now: number
  zone: string
  /** The data attributes of the html element: the store's name and what the shop promises. */
  htmlData: Record<string, string | undefined>
}

/** A reply that comes with the page: its body, and the headers that say what follows on a list. */
export type SentReply = [body: unknown, total?: string | null, link?: string | null]

export type SentReplies = Record<string, SentReply>
