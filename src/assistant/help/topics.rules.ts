import type { ArticleSummary } from './help.contract.ts'

/** The articles by topic, in the order in which the topics appear. */
export function topicsOf(articles: ArticleSummary[]): [topic: string, articles: ArticleSummary[]][] {
  const topics = [...new Set(articles.map(({ topic }) => topic))]
  return topics.map((topic) => [topic, articles.filter((article) => article.topic === topic)])
}
