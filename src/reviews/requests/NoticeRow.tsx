import './reviewRequests.css'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

type NoticeRowProps = {
  product: { id: string; title: string; categoryId: string; imageUrl: string | null }
  title: string
  about?: string
  link: ReactNode
  closeLabel: string
  onClose: () => void
}

/** A product in a notice above the library, with a link and a button that closes the row. */
export const NoticeRow = ({ product, title, about, link, closeLabel, onClose }: NoticeRowProps) => (
  <li>
    <ProductImage product={product} sizes="60px" className="thumb thumb--sm" />
    <span className="asked__title">
      <strong className="clamp-2 wrap-anywhere">{title}</strong>
      {about && <span className="muted small">{about}</span>}
    </span>
    <span className="asked__do">
      {link}
      <IconButton label={closeLabel} icon={<X className="icon" aria-hidden />} onClick={onClose} />
    </span>
  </li>
)
