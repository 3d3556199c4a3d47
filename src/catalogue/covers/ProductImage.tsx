import { type ReactNode, useState } from 'react'
import { lazy, useRetryOnline } from '../../ui/lazy.client.ts'
import type { CoverProps } from './PrintedCover.tsx'

const press = lazy(() => import('./PrintedCover.tsx'), 'PrintedCover')
void press.preload()

type ProductImageProps = {
  product: { id: string; title: string; categoryId: string; imageUrl: string | null }
  sizes: string
  className?: string
  /** Shown when the image fails to load. A product without an image has a printed cover, which is decoration. */
  missing?: string
  isLazy?: boolean
  children?: ReactNode
}

/** A product's image in a frame of 4:3. The printed cover fills the frame until the image has loaded, and when it fails. */
export function ProductImage({ product, sizes, className = '', missing, isLazy = true, children }: ProductImageProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const { imageUrl } = product
  const hasImage = imageUrl !== null && state !== 'failed'
  return (
    <span className={`frame ${className}`}>
      {!(hasImage && state === 'shown') && <Cover product={product} />}
      {hasImage && (
        <picture>
          <source type="image/avif" srcSet={widthsOf(imageUrl, 'avif')} sizes={sizes} />
          <img
            src={imageUrl}
            srcSet={widthsOf(imageUrl, 'webp')}
            sizes={sizes}
            width={640}
            height={480}
            alt=""
            loading={isLazy ? 'lazy' : 'eager'}
            decoding="async"
            className={state === 'shown' ? 'is-shown' : ''}
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

/** '/images/7/640.webp' -> '/images/7/320.avif 320w, /images/7/640.avif 640w' */
const widthsOf = (imageUrl: string, type: 'avif' | 'webp') =>
  [320, 640].map((width) => `${imageUrl.replace(/\d+\.webp$/, `${width}.${type}`)} ${width}w`).join(', ')

/** A product's cover; blank paper of the same size until its script has loaded. */
export function Cover(props: CoverProps) {
  const { value: PrintedCover, ...load } = press.useLoaded()
  useRetryOnline(load)
  return PrintedCover ? <PrintedCover {...props} /> : <svg className="cover" viewBox="0 0 320 240" aria-hidden />
}
