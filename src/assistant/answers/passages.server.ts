import type { Meaning } from '../../kit/meaning/meaning.server.ts'
import { nearnessFrom, type Vector } from '../../kit/meaning/vector.rules.ts'
import type { Block, Words } from '../help/help.contract.ts'
import type { Help } from '../help/help.server.ts'
import { coverage, stemsOf, tokensOf, type Weigh, weighAll, weighBy } from './words.rules.ts'

// Splits help articles into passages that answer one question each: a paragraph, a list item, or a list of steps.

const MAX_LENGTH = 700
/** A lower similarity of embeddings counts as 0. */
const MIN_NEAR = 0.3

export type Passage = {
  slug: string
  title: string
  heading: string
  text: string
  stems: Set<string>
  vector?: Vector
}
type Rated = { passage: Passage; words: number; near: number; score: number }
export type Passages = ReturnType<typeof openPassages>

export function openPassages(help: Help, meaning: Meaning) {
  const passages = help.all().flatMap(({ slug, title }) => piecesOf(slug, title, help.article(slug).blocks))
  const topics = new Map(
    help.all().map(({ slug, title }) => [slug, new Set(stemsOf(`${title} ${help.keywordsOf(slug)}`))] as const),
  )
  const weigh: Weigh = weighBy(passages.map(({ stems }) => [...stems]))
  const known = new Set(
    help.all().flatMap(({ slug, title }) => tokensOf(`${title} ${help.keywordsOf(slug)} ${help.bodyOf(slug)}`)),
  )
  let learning: Promise<unknown> | null = null
  let last: { key: string; vector: Vector | null; rated: Rated[] } | null = null

  async function learn() {
    const missing = passages.filter(({ vector }) => !vector)
    if (missing.length === 0) return
    const vectors = await meaning.of(missing.map(({ heading, text }) => `${heading} ${text}`.slice(0, 160)))
    if (!vectors) return
    missing.forEach((passage, i) => (passage.vector = vectors[i]!))
    last = null
  }
  return {
    known,
    weigh,
    /** Scores all passages by how much of the question they contain, from 0 to about 1. */
    rate(stems: string[], vector: Vector | null) {
      learning ??= learn().finally(() => (learning = null))
      learning.catch(() => undefined)
      // One answer scores the same question several times.
      const key = stems.join(' ')
      if (last && last.key === key && last.vector === vector) return last.rated
      const asked = weighAll(stems, weigh)
      const rated = passages
        .map((passage) => {
          const topic = topics.get(passage.slug)!
          const words = 0.6 * coverage(asked, passage.stems) + 0.4 * coverage(asked, passage.stems, topic)
          const isAbout = stems.some((one) => topic.has(one))
          const near = vector && passage.vector ? nearnessFrom(MIN_NEAR, vector, passage.vector) : 0
          return { passage, words, near, score: words * (isAbout ? 1 : 0.7) + 0.4 * Math.max(0, near - MIN_NEAR) }
        })
        .toSorted((a, b) => b.score - a.score)
      last = { key, vector, rated }
      return rated
    },
    missing: () => passages.filter(({ vector }) => !vector).length,
    first: (slug: string) => passages.find((passage) => passage.slug === slug),
  }
}

const plain = (words: Words[]) => words.map(({ text }) => text).join('')

function piecesOf(slug: string, title: string, blocks: Block[]): Passage[] {
  const pieces: Passage[] = []
  let heading = ''
  const add = (text: string) =>
    pieces.push({ slug, title, heading, text: cut(text), stems: new Set(stemsOf(`${heading} ${text}`)) })
  blocks.forEach((block, i) => {
    if (block.kind === 'heading') heading = plain(block.words)
    else if (block.kind === 'paragraph') {
      const next = blocks[i + 1]
      const steps = next?.kind === 'list' && next.isOrdered ? stepsOf(next.items) : ''
      add([plain(block.words), steps].filter(Boolean).join('\n'))
    } else if (block.isOrdered) {
      // A list of steps belongs to the paragraph before it.
      if (blocks[i - 1]?.kind !== 'paragraph') add(stepsOf(block.items))
    } else for (const item of block.items) add(capital(plain(item)))
  })
  return pieces
}

const stepsOf = (items: Words[][]) => items.map((item, i) => `${i + 1}. ${plain(item)}`).join('\n')
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** Cuts a long text at the end of a sentence or a step. */
function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const end = Math.max(text.lastIndexOf('. ', MAX_LENGTH) + 1, text.lastIndexOf('\n', MAX_LENGTH))
  return text.slice(0, end > 0 ? end : MAX_LENGTH).trim()
}
