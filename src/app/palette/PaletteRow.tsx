/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus, jsx-a11y/no-static-element-interactions --
   the field keeps the focus and its keys choose among the options, as a combobox does */
import { ChevronRight, Clock, LayoutGrid, Package, ReceiptText, Search, X, Zap } from 'lucide-react'
import type { HTMLAttributes } from 'react'
import { Highlight } from '../../ui/Highlight.tsx'
import type { Entry } from './palette.rules.ts'

const icons = {
  Search,
  'Recent searches': Clock,
  Products: Package,
  'Did you mean': Package,
  Categories: LayoutGrid,
  Orders: ReceiptText,
  Actions: Zap,
} as const

type PaletteRowProps = {
  entry: Entry
  searched: string
  onRemove: () => void
} & HTMLAttributes<HTMLDivElement>

export function PaletteRow({ entry: { group, label, hint, href }, searched, onRemove, ...row }: PaletteRowProps) {
  const Icon = icons[group]
  return (
    <div role="option" className="palette__row" {...row}>
      <Icon className="icon" aria-hidden />
      <span className="palette__label">
        <Highlight text={label} searched={group === 'Search' ? '' : searched} />
      </span>
      {hint && <small className="muted num">{hint}</small>}
      {group === 'Recent searches' && href ? (
        // For pointers. The Delete key does the same.
        <span
          className="palette__remove"
          title="Remove this search"
          onClick={(event) => {
            event.stopPropagation()
            onRemove()
          }}
        >
          <X className="icon" aria-hidden />
        </span>
      ) : (
        <ChevronRight className="icon palette__go" aria-hidden />
      )}
    </div>
  )
}
