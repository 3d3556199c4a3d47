import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Tooltip } from './Tooltip.tsx'

type IconButtonProps = {
  /** The accessible name and the tooltip. */
  label: string
  icon: ReactNode
  look?: 'plain' | 'line' | 'add'
  ref?: Ref<HTMLButtonElement>
} & ButtonHTMLAttributes<HTMLButtonElement>

export function IconButton({ label, icon, look = 'plain', className, ...rest }: IconButtonProps) {
  const classes = ['icon-btn', look !== 'plain' && `icon-btn--${look}`, className].filter(Boolean).join(' ')
  return (
    <Tooltip text={label}>
      <button type="button" className={classes} aria-label={label} {...rest}>
        {icon}
      </button>
    </Tooltip>
  )
}
