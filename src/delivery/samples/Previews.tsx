import '../../catalogue/previews/previews.css'
import { useQuery } from '@tanstack/react-query'
import { FileText, Headphones, Video } from 'lucide-react'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { Markdown } from '../../catalogue/Markdown.tsx'
import { Gallery } from '../../catalogue/previews/Gallery.tsx'
import { getPreviews } from '../../catalogue/previews/previews.contract.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { listPreviews } from '../courses/learning.contract.ts'

/** The pictures and the lessons that a shopper sees before buying. */
export function Previews({ detail: { id: productId, delivery } }: { detail: ProductDetail }) {
  // a failed preview is omitted, because it does not affect the purchase
  const { data: previews = [] } = useQuery(query(getPreviews, { id: productId }))
  const images = previews.filter(({ kind }) => kind === 'image')
  return (
    <>
      {images.length > 0 && (
        <section className="section gap-4" aria-labelledby="look-inside">
          <h2 id="look-inside">Look inside</h2>
          <Gallery images={images} />
        </section>
      )}
      {delivery === 'course' && <Lessons productId={productId} />}
    </>
  )
}

const ICONS = { text: FileText, audio: Headphones, video: Video }

function Lessons({ productId }: { productId: string }) {
  const { data: parts = [] } = useQuery(query(listPreviews, { id: productId }))
  if (parts.length === 0) return null
  return (
    <section className="section gap-4" aria-labelledby="lessons">
      <h2 id="lessons">{plural(parts.filter(({ isSection }) => !isSection).length, 'lesson')}</h2>
      <ol className="previews__lessons">
        {parts.map(({ id, isSection, title, look, opensOn, opensAfterDays, text }) => {
          const Icon = ICONS[look]
          return (
            <li key={id}>
              {isSection ? (
                <h3 className="text-14">{title}</h3>
              ) : text === null ? (
                <p className="row row--nowrap">
                  <Icon className="icon icon--sm" aria-hidden />
                  <span>
                    <bdi>{title}</bdi>
                    {opensOn && <small className="muted">, opens on {formatDay(`${opensOn}T12:00:00Z`)}</small>}
                    {opensAfterDays && (
                      <small className="muted">, opens {plural(opensAfterDays, 'day')} after the purchase</small>
                    )}
                  </span>
                </p>
              ) : (
                <details>
                  <summary>
                    <bdi>{title}</bdi>, free preview
                  </summary>
                  <Markdown text={text} />
                </details>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
