import { readFileSync } from 'node:fs'
import MiniSearch, { type SearchResult } from 'minisearch'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { readArticles, type WrittenArticle } from './articles.server.ts'
import { type ArticleSummary, getHelpArticle, listHelp } from './help.contract.ts'

export type Help = ReturnType<typeof openHelp>

const MAX_RELATED = 3

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
    bodyOf: (slug: string) => bySlug.get(slug)?.body,
    /** Search terms that the text of an article does not contain. */
    keywordsOf: (slug: string) => bySlug.get(slug)?.keywords ?? '',
    find: (question: string) => summaries(search(question).map(({ id }) => id as string)),
    article: (slug: string) => {
      const article = bySlug.get(slug)
      if (!article) throw new Failure(404, 'Not found')
      const related = articles.filter((other) => other.topic === article.topic && other.slug !== slug)
      return {
        ...summaryOf(article),
        blocks: article.blocks,
        related: related.slice(0, MAX_RELATED).map(summaryOf),
      }
    },
    /** Links with titles. Skips deleted articles. */
    linksTo: (slugs: string[]) => summaries(slugs).map(({ slug, title }) => ({ slug, title })),
  }
}

const summaryOf = ({ slug, title, summary, topic }: WrittenArticle): ArticleSummary => ({ slug, title, summary, topic })

const EMPTY = new Set(
  readFileSync(new URL('stopWords.txt', import.meta.url), 'utf8')
    .trim()
    .split(/\s+/),
)

/** Returns the words of a text in lower case, stemmed, without stop words. */
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

export function helpRoutes(help: Help): Route[] {
  return [
    handle(listHelp, { limits: [{ per: 'account', count: 120, seconds: 60 }] }, async ({ q }) =>
      q?.trim() ? help.find(q) : help.all(),
    ),
    handle(getHelpArticle, async ({ slug }) => help.article(slug)),
  ]
}
