import { createElement, type ReactNode } from 'react'
import type { Part } from './chapter.client.ts'

type ChapterTextProps = { parts: Part[]; onFollow: (to: { path: string; fragment: string }) => void }

/** A chapter as React elements: only what `Piece` names reaches the page. */
export const ChapterText = ({ parts, onFollow }: ChapterTextProps): ReactNode =>
  parts.map((part, i) => {
    if (typeof part === 'string') return part
    const { tag, id, src, alt, to, href, span, parts: inner } = part
    if (tag === 'img') return src ? <img key={i} src={src} alt={alt ?? ''} /> : null
    const children = inner.length > 0 ? <ChapterText parts={inner} onFollow={onFollow} /> : undefined
    if (tag === 'a' && href)
      return (
        <a key={i} id={id} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {children}
        </a>
      )
    if (tag === 'a' && to)
      return (
        <a
          key={i}
          id={id}
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
        <span key={i} id={id}>
          {children}
        </span>
      )
    // tables and lists take no text between their parts
    return createElement(
      tag,
      { key: i, id, ...(span && { colSpan: span }) },
      NO_TEXT.has(tag) ? withoutText(inner, onFollow) : children,
    )
  })

const NO_TEXT = new Set<string>(['table', 'thead', 'tbody', 'tr', 'ul', 'ol', 'dl'])

const withoutText = (parts: Part[], onFollow: ChapterTextProps['onFollow']) => (
  <ChapterText parts={parts.filter((part) => typeof part !== 'string')} onFollow={onFollow} />
)
