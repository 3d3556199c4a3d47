import './storefront.css'
import { ExternalLink } from 'lucide-react'
import type { Product } from '../../catalogue/catalogue.contract.ts'
import { ProductCard } from '../../catalogue/ProductCard.tsx'
import { AddToCartButton } from '../../purchases/AddToCartButton.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import type { SellerDesign } from './storefront.contract.ts'

type AboutProps = { bio: string; links: SellerDesign['links'] }

/** What a seller writes about themselves, with links to other sites. */
export const About = ({ bio, links }: AboutProps) => (
  <section className="stack gap-4" aria-label="In the seller’s words">
    {bio && <p className="pre-line wrap-anywhere">{bio}</p>}
    {links.length > 0 && (
      <ul className="row gap-2">
        {links.map(({ label, url }, i) => (
          <li key={i}>
            <a
              className={buttonClass({}, 'wrap-anywhere')}
              href={url}
              target="_blank"
              rel="noopener noreferrer nofollow ugc"
            >
              {label}
              <ExternalLink className="icon icon--sm" aria-hidden />
              <span className="sr">(opens another site)</span>
            </a>
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** The product that a seller puts first. */
export const Featured = ({ product }: { product: Product }) => (
  <section className="section" aria-label="Featured product">
    <h2>Featured</h2>
    <div className="star-product">
      <ProductCard product={product} level={3} isLazy={false} Action={AddToCartButton} />
    </div>
  </section>
)
