import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, MessageSquareText, Search } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { isMissing } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageHead, PageTitle } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useSettled } from '../../ui/useSettled.ts'
import { chatIsOpen } from '../chatState.client.ts'
import {
  type ArticleSummary,
  type Block,
  getHelpArticle,
  listHelp,
  MAX_QUESTION_LENGTH,
  type Words,
} from './help.contract.ts'
import { topicsOf } from './topics.rules.ts'
import './help.css'

export const HelpPage = ({ id }: { id: string }) => (id ? <HelpArticle key={id} slug={id} /> : <HelpIndex />)

/** Debounce of the search in milliseconds. */
const REST = 150

function HelpIndex() {
  const [search, setSearch] = useSearchParams()
  const question = search.get('q') ?? ''
  const q = useSettled(question.slice(0, MAX_QUESTION_LENGTH).trim(), REST)
  const { data, isError, refetch } = useQuery({
    ...query(listHelp, q ? { q } : {}),
    placeholderData: keepPreviousData,
  })
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
          maxLength={MAX_QUESTION_LENGTH}
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
        <ArticleList articles={data} hasSummaries />
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

const ArticleList = ({ articles, hasSummaries = false }: { articles: ArticleSummary[]; hasSummaries?: boolean }) => (
  <ul className="list">
    {articles.map(({ slug, title, summary }) => (
      <li key={slug}>
        <Link className="list__row" href={`/help/${slug}`}>
          <span className="grow">
            <strong>{title}</strong>
            {hasSummaries && <small>{summary}</small>}
          </span>
          <ChevronRight className="icon" aria-hidden />
        </Link>
      </li>
    ))}
  </ul>
)

const ContactButton = () => (
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

function HelpArticle({ slug }: { slug: string }) {
  const { data: article, isPending, error, refetch } = useQuery(query(getHelpArticle, { slug }))
  return (
    <div className="section gap-5 help">
      <Link href="/help" className="link link--back">
        <ChevronLeft className="icon icon--sm" aria-hidden />
        Help Center
      </Link>
      {article ? (
        <>
          <article className="help__article">
            <PageTitle title={article.title} />
            {article.blocks.map((block, i) => (
              <Part key={i} block={block} />
            ))}
          </article>
          {article.related.length > 0 && (
            <section className="section" aria-labelledby="related">
              <h2 id="related">More about {article.topic}</h2>
              <ArticleList articles={article.related} />
            </section>
          )}
          <section className="card row row--between" aria-labelledby="unanswered">
            <div>
              <h2 id="unanswered" className="text-16">
                Didn’t find what you need?
              </h2>
              <p className="muted small">Ask in the chat. A person reads what it can’t answer on its own.</p>
            </div>
            <ContactButton />
          </section>
        </>
      ) : isPending ? (
        <div className="stack gap-4" role="status" aria-label="Loading the article">
          <Skeleton height="2.25rem" width="60%" />
          <Skeleton height="1.25rem" />
          <Skeleton height="12rem" />
        </div>
      ) : isMissing(error) ? (
        <EmptyState
          isPage
          scene="torn"
          title="We couldn’t find that article"
          action={<LinkButton href="/help">Help Center</LinkButton>}
        />
      ) : (
        <ErrorState title="Couldn’t load the article" onRetry={refetch} />
      )}
    </div>
  )
}

function Part({ block }: { block: Block }) {
  if (block.kind !== 'list') {
    const Tag = block.kind === 'heading' ? 'h2' : 'p'
    return (
      <Tag>
        <Text words={block.words} />
      </Tag>
    )
  }
  const List = block.isOrdered ? 'ol' : 'ul'
  return (
    <List>
      {block.items.map((words, i) => (
        <li key={i}>
          <Text words={words} />
        </li>
      ))}
    </List>
  )
}

const Text = ({ words }: { words: Words[] }) =>
  words.map(({ text, look, href }, i) =>
    href ? (
      <Link key={i} href={href} className="help__link">
        {text}
      </Link>
    ) : look === 'strong' ? (
      <strong key={i}>{text}</strong>
    ) : look === 'code' ? (
      <kbd key={i}>{text}</kbd>
    ) : (
      text
    ),
  )
