import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

export type ButtonLook = {
  tone?: 'primary' | 'soft' | 'line' | 'ghost' | 'quiet' | 'bad' | 'bad-line' | 'on-hero'
  isLarge?: boolean
  isWide?: boolean
  icon?: ReactNode
}

type ButtonProps = ButtonLook & {
  /** Shows a spinner instead of the icon and ignores presses. */
  isBusy?: boolean
  ref?: Ref<HTMLButtonElement>
} & ButtonHTMLAttributes<HTMLButtonElement>

export const buttonClass = ({ tone = 'line', isLarge, isWide }: ButtonLook, className?: string) =>
  ['btn', `btn--${tone}`, isLarge && 'btn--lg', isWide && 'btn--wide', className].filter(Boolean).join(' ')

export function Button({ tone, isLarge, isWide, icon, isBusy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={buttonClass({ tone, isLarge, isWide }, className)}
      // not `disabled`, because a disabled button would lose the focus
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {isBusy ? <span className="spinner" aria-hidden /> : icon}
      {children}
    </button>
  )
}
