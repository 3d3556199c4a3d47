import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Preview } from './previews.contract.ts'

export function Gallery({ images }: { images: Preview[] }) {
  const strip = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const show = (next: number) => {
    const target = Math.max(0, Math.min(images.length - 1, next))
    const { children } = strip.current!
    strip.current!.scrollTo({ left: (children[target] as HTMLElement).offsetLeft, behavior: 'smooth' })
    setAt(target)
  }
  const settle = () => {
    const { scrollLeft, clientWidth } = strip.current!
    setAt(Math.round(scrollLeft / clientWidth))
  }
  const turn = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!by) return
    event.preventDefault()
    show(at + by)
  }
  return (
    <div className="gallery" role="group" aria-label="Gallery">
      {/* focusable, because the strip scrolls */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        ref={strip}
        className="gallery__strip"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Pictures"
        onKeyDown={turn}
        onScroll={settle}
      >
        {images.map(({ id, url, alt }) => (
          <li key={id}>
            <img src={url} alt={alt} loading="lazy" decoding="async" />
          </li>
        ))}
      </ul>
      {images.length > 1 && (
        <div className="row row--between">
          <IconButton
            label="Previous picture"
            icon={<ChevronLeft className="icon" aria-hidden />}
            aria-disabled={at === 0 || undefined}
            onClick={() => show(at - 1)}
          />
          <p className="small muted num" role="status">
            {at + 1} of {images.length}: {images[at]?.alt}
          </p>
          <IconButton
            label="Next picture"
            icon={<ChevronRight className="icon" aria-hidden />}
            aria-disabled={at === images.length - 1 || undefined}
            onClick={() => show(at + 1)}
          />
        </div>
      )}
    </div>
  )
}
