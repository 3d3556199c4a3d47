import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import type { Step } from './turning/gesture.rules.ts'

type ReaderBarProps = {
  word: string
  number: number
  count: number
  /** The noun in the labels of the buttons: 'page' or 'chapter'. */
  turned?: string
  isFirst?: boolean
  isLast?: boolean
  isRightToLeft?: boolean
  onTurn: (step: Step) => void
  /** Buttons before those that turn the page. */
  children?: ReactNode
}

export function ReaderBar({ word, number, count, turned = word, isRightToLeft = false, ...more }: ReaderBarProps) {
  const { isFirst = number <= 1, isLast = number >= count, onTurn, children } = more
  const [Back, On] = isRightToLeft ? [ChevronRight, ChevronLeft] : [ChevronLeft, ChevronRight]
  return (
    <div className="reader__foot stack gap-2" dir={isRightToLeft ? 'rtl' : undefined}>
      <progress className="read-share" value={number} max={count} aria-label={`${word} ${number} of ${count}`} />
      <div className="reader__bar">
        {children}
        <Button
          tone="ghost"
          icon={<Back className="icon" aria-hidden />}
          aria-disabled={isFirst || undefined}
          aria-label={`Previous ${turned.toLowerCase()}`}
          onClick={() => !isFirst && onTurn(-1)}
        >
          <span className="reader__word">Previous</span>
        </Button>
        <p className="small muted num" role="status" dir="ltr">
          {turned !== word && `${word} `}
          {number} of {count}
        </p>
        <Button
          tone="ghost"
          aria-disabled={isLast || undefined}
          aria-label={`Next ${turned.toLowerCase()}`}
          onClick={() => !isLast && onTurn(1)}
        >
          <span className="reader__word">Next</span>
          <On className="icon" aria-hidden />
        </Button>
      </div>
    </div>
  )
}

type SizeButtonsProps = {
  size: number
  least: number
  most: number
  step: number
  what: string
  onChange: (size: number) => void
}

export const SizeButtons = ({ size, least, most, step, what, onChange }: SizeButtonsProps) => (
  <span className="reader__tools">
    <button
      type="button"
      className="icon-btn reader__size text-14"
      aria-label={`Smaller ${what}`}
      aria-disabled={size <= least || undefined}
      onClick={() => onChange(Math.max(least, size - step))}
    >
      A
    </button>
    <button
      type="button"
      className="icon-btn reader__size text-18"
      aria-label={`Larger ${what}`}
      aria-disabled={size >= most || undefined}
      onClick={() => onChange(Math.min(most, size + step))}
    >
      A
    </button>
  </span>
)
