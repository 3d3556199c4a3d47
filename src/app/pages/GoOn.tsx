import './goOn.css'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import type { GoOn as Resumed } from '../../delivery/library/owned.contract.ts'
import { Link } from '../../ui/Link.tsx'

/** The part of the welcome banner that resumes what its owner opened last. */
export function GoOn({ goOn, greeting }: { goOn: Resumed; greeting: string }) {
  const { href, label, about, share, title, coverId, categoryId, imageUrl } = goOn
  return (
    <div className="goon">
      <ProductImage
        product={{ id: coverId, title, categoryId, imageUrl }}
        sizes="168px"
        className="goon__cover"
        isLazy={false}
      />
      <div className="goon__text">
        <p data-greeting>{greeting}</p>
        <strong className="clamp-2 wrap-anywhere">{title}</strong>
        {share > 0 && (
          <span className="goon__bar" aria-hidden>
            <span style={{ width: `${share * 100}%` }} />
          </span>
        )}
        {about && <p className="num">{about}</p>}
      </div>
      <div className="goon__do">
        <Link className="btn btn--on-hero" href={href} aria-label={`${label}: ${title}`}>
          {label}
        </Link>
        <Link className="btn btn--ghost" href="/library">
          Library
        </Link>
      </div>
    </div>
  )
}
