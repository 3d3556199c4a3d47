import { readFileSync } from 'node:fs'
import MiniSearch, { type SearchResult } from 'minisearch'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { readArticles, type WrittenArticle } from './articles.server.ts'
import type { ArticleLink } from '../chat/chat.contract.ts'
import { type ArticleSummary, getHelpArticle, listHelp } from './help.contract.ts'

export type Help = ReturnType<typeof openHelp>

const MOST_NAMED = 2
const MOST_RELATED = 3

export function openHelp(articles: WrittenArticle[] = readArticles()) {
  const bySlug = new Map(articles.map((article) => [article.slug, article]))
  const index = new MiniSearch<WrittenArticle>({
    idField: 'slug',
    fields: ['title', 'keywords', 'text'],
    tokenize: contentWords,
    searchOptions: {
      boost: { title: 3, keywords: 3 },
      prefix: (word) => word.length > 3,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  })
  index.addAll(articles)

  const search = (question: string): SearchResult[] => index.search(question)
  const summaries = (slugs: string[]): ArticleSummary[] =>
    slugs.flatMap((slug) => {
      const article = bySlug.get(slug)
      return article ? [summaryOf(article)] : []
    })

  return {
    all: () => articles.map(summaryOf),
    /** The text of an article as Markdown. */
    bodyOf: (slug: string) => bySlug.get(slug)?.body,
    /** Search terms that the text of an article does not contain. */
    keywordsOf: (slug: string) => bySlug.get(slug)?.keywords ?? '',
    wordsOf: contentWords,
    find: (question: string) => summaries(search(question).map(({ id }) => id as string)),
    /** The slugs of articles that probably answer a message; empty if none fits well. */
    answering: (message: string): string[] =>
      search(message.slice(0, 500))
        .filter((hit, _, [best]) => isAnswer(hit, best!, contentWords(message)))
        .slice(0, MOST_NAMED)
        .map(({ id }) => id as string),
    article: (slug: string) => {
      const article = bySlug.get(slug)
      if (!article) throw new Failure(404, 'Not found')
      const related = articles.filter((other) => other.topic === article.topic && other.slug !== slug)
      return {
        ...summaryOf(article),
        blocks: article.blocks,
        related: related.slice(0, MOST_RELATED).map(summaryOf),
      }
    },
    /** Links with titles. Skips deleted articles. */
    linksTo: (slugs: string[]): ArticleLink[] => summaries(slugs).map(({ slug, title }) => ({ slug, title })),
  }
}

const summaryOf = ({ slug, title, summary, topic }: WrittenArticle): ArticleSummary => ({ slug, title, summary, topic })

const EMPTY = new Set(
  readFileSync(new URL('stopWords.txt', import.meta.url), 'utf8')
    .trim()
    .split(/\s+/),
)

/** The meaningful words of a text: lower case, stemmed, without stop words. */
const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !EMPTY.has(word)).map(stem)

/** 'refunded', 'refunding' and 'refunds' -> 'refund' */
const stem = (word: string): string => {
  if (word.length < 5 || /\d/.test(word)) return word
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace(/(?:ing|ed)$/, '')
}

type Hit = { score: number; match: Record<string, string[]>; queryTerms: string[] }

const LEAST_SCORE = 7
const LEAST_OF_BEST = 0.6

/**
 * Decides if the assistant may name this article: title or keywords contain a word of the question, and the score is
 * high and close to the best. A long message with one such word does not qualify.
 */
function isAnswer({ score, match, queryTerms }: Hit, best: { score: number }, words: string[]): boolean {
  const isAbout = Object.values(match).some((fields) => fields.includes('title') || fields.includes('keywords'))
  const share = new Set(queryTerms).size / Math.max(1, new Set(words).size)
  return isAbout && score >= LEAST_SCORE && score >= best.score * LEAST_OF_BEST && share >= 0.25
}

export function helpRoutes(help: Help): Route[] {
  return [
    handle(listHelp, { limits: [{ per: 'account', count: 120, seconds: 60 }] }, async ({ q }) =>
      q?.trim() ? help.find(q) : help.all(),
    ),
    handle(getHelpArticle, async ({ slug }) => help.article(slug)),
  ]
}
