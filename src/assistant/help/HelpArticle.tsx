import { ChevronLeft } from 'lucide-react'
import { isMissing } from '../../kit/call.client.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import type { Block, Words } from './help.contract.ts'
import { ArticleList, ContactButton } from './HelpIndex.tsx'
import { useArticle } from './useHelp.ts'

/** One help article, with links for readers it did not help. */
export function HelpArticle({ slug }: { slug: string }) {
  const { data: article, isPending, error, refetch } = useArticle(slug)
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
              <p className="muted small">Ask in the chat, and a person will answer.</p>
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
  if (block.kind === 'heading')
    return (
      <h2>
        <Text words={block.words} />
      </h2>
    )
  if (block.kind === 'paragraph')
    return (
      <p>
        <Text words={block.words} />
      </p>
    )
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
