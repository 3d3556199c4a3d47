import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useIsFirstView } from '../../kit/drawn.client.ts'
import { lazy, useRetryOnline } from '../../ui/lazy.client.ts'
import type { CoverProps } from './PrintedCover.tsx'

const press = lazy(() => import('./PrintedCover.tsx'), 'PrintedCover')
void press.preload()
export const preloadCovers = press.preload

type ProductImageProps = {
  product: {
    id: string
    title: string
    categoryId: string
    imageUrl: string | null
    imageColor?: string | null | undefined
  }
  sizes: string
  className?: string
  /** Shown when the image fails to load. A product without an image has a decorative printed cover. */
  missing?: string
  isLazy?: boolean
  children?: ReactNode
}

/** A product's image in a 4:3 frame. Its colour or the printed cover fills the frame until it loads or fails. */
export function ProductImage({ product, sizes, className = '', missing, isLazy = true, children }: ProductImageProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const image = useRef<HTMLImageElement>(null)
  // a server-rendered image may have loaded or failed before the script
  useEffect(() => {
    if (image.current?.complete) setState(image.current.naturalWidth > 0 ? 'shown' : 'failed')
  }, [])
  const { imageUrl, imageColor } = product
  const hasImage = imageUrl !== null && state !== 'failed'
  return (
    <span className={`frame ${className}`}>
      {!(hasImage && (imageColor || state === 'shown')) && <Cover product={product} />}
      {hasImage && (
        <picture>
          <source type="image/avif" srcSet={widthsOf(imageUrl, 'avif')} sizes={sizes} />
          <img
            ref={image}
            style={{ background: imageColor ?? '' }}
            src={imageUrl}
            srcSet={widthsOf(imageUrl, 'webp')}
            sizes={sizes}
            width={640}
            height={480}
            alt=""
            loading={isLazy ? 'lazy' : 'eager'}
            fetchPriority={isLazy ? 'auto' : 'high'}
            decoding="async"
            onLoad={() => setState('shown')}
            onError={() => setState('failed')}
          />
        </picture>
      )}
      {state === 'failed' && missing && <span className="frame__missing">{missing}</span>}
      {children}
    </span>
  )
}

export const widthsOf = (imageUrl: string, type: 'avif' | 'webp') =>
  [160, 320, 640, 1280].map((width) => `${imageUrl.slice(0, -8)}${width}.${type} ${width}w`).join(', ')

const keyOf = ({ product: { id, title, categoryId } }: CoverProps) => `${categoryId} ${id} ${title}`

/** A product's cover. Retains the server-rendered cover; otherwise shows a blank one until its script loads. */
export function Cover(props: CoverProps) {
  const isFirstView = useIsFirstView()
  const [printed] = useState(isFirstView && typeof document !== 'undefined' && keyOf(props))
  return printed === keyOf(props) ? <KeptCover /> : <PressedCover {...props} />
}

/** React does not compare the content of this element, so the server-rendered cover stays. */
const KeptCover = memo(() => (
  // oxlint-disable-next-line react/no-danger -- empty: it makes React leave what the server printed
  <svg className="cover" viewBox="0 0 320 240" dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />
))

function PressedCover(props: CoverProps) {
  const { value: PrintedCover, ...load } = press.useLoaded()
  useRetryOnline(load)
  return PrintedCover ? <PrintedCover {...props} /> : <svg className="cover" viewBox="0 0 320 240" aria-hidden />
}
