import { createElement, memo, type ReactNode } from 'react'
import type { Part } from './chapter.client.ts'

/** Without `onFollow`, links within the book are text. */
type ChapterTextProps = { parts: Part[]; onFollow?: ((to: { path: string; fragment: string }) => void) | undefined }

/** Renders a chapter as React elements. Only the tags of `Piece` reach the page. */
export const ChapterText = memo(function ChapterText(props: ChapterTextProps) {
  return <Parts {...props} />
})

const Parts = ({ parts, onFollow }: ChapterTextProps): ReactNode =>
  parts.map((part, i) => {
    if (typeof part === 'string') return part
    const { tag, id, dir, lang, src, alt, to, href, numbers, numbering, isReversed, math, parts: inner } = part
    if (tag === 'img') return <Picture key={i} src={src} alt={alt ?? ''} />
    const children = inner.length > 0 ? <Parts parts={inner} onFollow={onFollow} /> : undefined
    const common = { id, dir, lang }
    if (tag === 'a' && href)
      return (
        <a key={i} {...common} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {children}
        </a>
      )
    if (tag === 'a' && to && onFollow)
      return (
        <a
          key={i}
          {...common}
          href={`#${to.fragment}`}
          onClick={(event) => {
            event.preventDefault()
            onFollow(to)
          }}
        >
          {children}
        </a>
      )
    if (tag === 'a')
      return (
        <span key={i} {...common}>
          {children}
        </span>
      )
    const more = {
      ...numbers,
      ...(isReversed && { reversed: true }),
      ...(numbering && { style: { listStyleType: numbering } }),
      ...math,
    }
    // tables and lists allow no text between their parts
    return createElement(
      tag,
      { key: i, ...common, ...more },
      NO_TEXT.has(tag) ? withoutText(inner, onFollow) : children,
    )
  })

function Picture({ src, alt }: { src: string | undefined; alt: string }) {
  if (src) return <img src={src} alt={alt} />
  return <span className="reader__gone small">{alt ? `[Picture: ${alt}]` : '[Picture]'}</span>
}

const NO_TEXT = new Set<string>(['table', 'thead', 'tbody', 'tr', 'ul', 'ol', 'dl'])

const withoutText = (parts: Part[], onFollow: ChapterTextProps['onFollow']) => (
  <Parts parts={parts.filter((part) => typeof part !== 'string')} onFollow={onFollow} />
)
