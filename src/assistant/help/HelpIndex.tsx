import { ChevronRight, MessageSquareText, Search } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { chatIsOpen } from '../chatIsOpen.client.ts'
import { type ArticleSummary, LONGEST_QUESTION } from './help.contract.ts'
import { useHelp } from './useHelp.ts'

/** All help articles by topic, with a search whose query is part of the URL. */
export function HelpIndex() {
  const [search, setSearch] = useSearchParams()
  const question = search.get('q') ?? ''
  const { data, isError, refetch } = useHelp(question.slice(0, LONGEST_QUESTION))
  const ask = (q: string) => setSearch(q ? { q } : {}, { replace: true })
  return (
    <div className="section gap-5 help">
      <PageHead title="Help Center" about={data && question.trim() ? `${data.length} article(s) found` : undefined} />
      <div className="affix" role="search" aria-label="Help articles">
        <Search className="icon" aria-hidden />
        <input
          className="input"
          type="search"
          placeholder="Search help articles..."
          aria-label="Search help articles"
          maxLength={LONGEST_QUESTION}
          value={question}
          onChange={(event) => ask(event.target.value)}
        />
      </div>
      {isError && !data ? (
        <ErrorState title="Couldn’t load the articles" onRetry={refetch} />
      ) : !data ? (
        <HelpSkeleton />
      ) : data.length === 0 ? (
        <EmptyState
          scene="search"
          title="No articles found"
          action={
            <>
              <Button onClick={() => ask('')}>Clear Search</Button>
              <ContactButton />
            </>
          }
        >
          Try different words, or ask in the chat.
        </EmptyState>
      ) : question.trim() ? (
        <ArticleList articles={data} />
      ) : (
        topicsOf(data).map(([topic, articles]) => (
          <section key={topic} className="section" aria-label={topic}>
            <h2>{topic}</h2>
            <ArticleList articles={articles} />
          </section>
        ))
      )}
    </div>
  )
}

function topicsOf(articles: ArticleSummary[]): [string, ArticleSummary[]][] {
  const topics = [...new Set(articles.map(({ topic }) => topic))]
  return topics.map((topic) => [topic, articles.filter((article) => article.topic === topic)])
}

export const ArticleList = ({ articles }: { articles: ArticleSummary[] }) => (
  <ul className="list">
    {articles.map(({ slug, title, summary }) => (
      <li key={slug}>
        <Link className="list__row" href={`/help/${slug}`}>
          <span className="grow">
            <strong>{title}</strong>
            <small>{summary}</small>
          </span>
          <ChevronRight className="icon" aria-hidden />
        </Link>
      </li>
    ))}
  </ul>
)

export const ContactButton = () => (
  <Button tone="soft" icon={<MessageSquareText className="icon" aria-hidden />} onClick={() => chatIsOpen.set(true)}>
    Contact Support
  </Button>
)

const HelpSkeleton = () => (
  <div className="section gap-5" role="status" aria-label="Loading the articles">
    {[0, 1, 2].map((i) => (
      <div key={i} className="section">
        <Skeleton height="1.5rem" width="8rem" />
        <Skeleton className="skeleton--card" height="9rem" />
      </div>
    ))}
  </div>
)
