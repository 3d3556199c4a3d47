import { createElement, useMemo, type CSSProperties, type ReactNode } from 'react'
import type { Shape } from './cover.motifs.ts'
import { drawCover, type CoverOf } from './cover.rules.ts'

export type CoverProps = { product: CoverOf; className?: string }

export function PrintedCover({ product, className }: CoverProps) {
  const { id, categoryId, title } = product
  const { ink, hue, elements } = useMemo(() => {
    const { shapes, ...ground } = drawCover({ id, categoryId, title })
    return { ...ground, elements: shapes.map(elementOf) }
  }, [id, categoryId, title])
  return (
    <svg
      className={`cover cover--${ink}${className ? ` ${className}` : ''}`}
      style={{ '--h': hue } as CSSProperties}
      viewBox="0 0 320 240"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {elements}
    </svg>
  )
}

function elementOf({ tag, children, ...attributes }: Shape, key: number): ReactNode {
  return createElement(tag, { ...attributes, key }, Array.isArray(children) ? children.map(elementOf) : children)
}
