import { openThreads } from '../threads/threads.server.ts'

// Draws documents in a worker thread, because a long document takes hundreds of milliseconds.

/** `width` is in points. Columns without a width share the remaining space. */
export type Column = { name: string; width?: number; isRight?: boolean }
export type Cell = { text: string; small?: string }
export type Row = { cells: Cell[]; isStrong?: boolean }

export type Paper = {
  heading: (level: 1 | 2, text: string) => void
  paragraph: (text: string, look?: { isMuted?: boolean }) => void
  table: (columns: Column[], rows: Row[]) => void
  /** Adds a muted paragraph only if earlier text had letters that no font has. The document shows '?' for them. */
  noteUnknownLetters: (text: string) => void
}

export type Part =
  | { kind: 'heading'; level: 1 | 2; text: string }
  | { kind: 'paragraph'; text: string; isMuted: boolean; isAboutUnknown: boolean }
  | { kind: 'table'; columns: Column[]; rows: Row[] }
export type About = { title: string; author: string; createdAt: Date }
export type Drawing = About & { parts: Part[] }

const threads = openThreads<Drawing, Uint8Array>({
  script: new URL('drawingWorker.server.ts', import.meta.url),
  limitMs: 20_000,
  mostWaiting: 50,
})

/**
 * Draws a document for an account. The same input makes the same bytes. Throws a Failure 503 if too many drawings wait
 * or this drawing exceeds a limit. Throws a Failure 429 if too many drawings of the account wait.
 */
export async function makePdf(
  { account, ...about }: About & { account: string | null },
  draw: (paper: Paper) => void,
): Promise<Buffer> {
  const parts: Part[] = []
  draw({
    heading: (level, text) => parts.push({ kind: 'heading', level, text }),
    paragraph: (text, { isMuted = false } = {}) =>
      parts.push({ kind: 'paragraph', text, isMuted, isAboutUnknown: false }),
    table: (columns, rows) => parts.push({ kind: 'table', columns, rows }),
    noteUnknownLetters: (text) => parts.push({ kind: 'paragraph', text, isMuted: true, isAboutUnknown: true }),
  })
  return Buffer.from(await threads.run({ ...about, parts }, account))
}
