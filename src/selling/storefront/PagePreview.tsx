import { useState } from 'react'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { ProductPrice } from '../../catalogue/price/ProductPrice.tsx'
import type { Section } from '../../catalogue/sellers/design.rules.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { varsOf } from './colors.rules.ts'
import { SECTION_NAMES } from './editor.rules.ts'
import { HeaderPicture, SellerHead } from './SellerHead.tsx'
import { About } from './SellerSections.tsx'
import type { Seller, SellerDesign } from './storefront.contract.ts'

const MODES = [
  { value: 'light' as const, label: 'Light' },
  { value: 'dark' as const, label: 'Dark' },
]
const modeNow = () => (document.documentElement.dataset.mode === 'dark' ? 'dark' : 'light')

type PagePreviewProps = {
  seller: Pick<Seller, 'name' | 'avatarUrl' | 'rated' | 'since' | 'bio'>
  design: SellerDesign
}

/** The page with the values of the editor, in either mode. Products and reviews are outlines. */
export function PagePreview({ seller, design }: PagePreviewProps) {
  const [mode, setMode] = useState<'light' | 'dark'>(modeNow)
  return (
    <section className="stack" aria-labelledby="page-preview">
      <div className="row row--between">
        <h2 id="page-preview" className="text-18">
          Preview
        </h2>
        <Segment label="Mode of the preview" options={MODES} value={mode} onChange={setMode} />
      </div>
      <div className="page-preview" data-mode={mode} inert>
        <div className="section" style={varsOf(design)}>
          <div className="maker">
            {design.header && <HeaderPicture key={design.header.url} header={design.header} />}
            <div className="maker__who">
              <SellerHead seller={seller} title={<strong className="text-18 wrap-anywhere">{seller.name}</strong>} />
            </div>
          </div>
          {design.sections.map((section) => (
            <Part key={section} section={section} bio={seller.bio} design={design} />
          ))}
        </div>
      </div>
    </section>
  )
}

function Part({ section, bio, design: { links, featured } }: { section: Section; bio: string; design: SellerDesign }) {
  if (section === 'about') return bio || links.length > 0 ? <About bio={bio} links={links} /> : null
  if (section === 'featured')
    return (
      featured && (
        <div className="star-product row row--nowrap">
          <ProductImage product={featured} sizes="84px" className="thumb" />
          <span className="grow">
            <strong className="clamp-2 wrap-anywhere">{featured.title}</strong>
            <ProductPrice product={featured} />
          </span>
          <span className={buttonClass({ tone: 'primary' })}>Add</span>
        </div>
      )
    )
  return (
    <div className="stack gap-2">
      <strong>{SECTION_NAMES[section]}</strong>
      <span className="page-preview__outline" />
    </div>
  )
}
