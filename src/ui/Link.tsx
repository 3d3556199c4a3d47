import type { AnchorHTMLAttributes, ReactNode } from 'react'
import { Link as RouteLink } from 'wouter'
import { prefetch } from '../kit/prefetch.client.ts'
import { buttonClass, type ButtonLook } from './Button.tsx'

type LinkProps = {
  href: string
  /** Moves the picture from here to there (a view transition), where the browser can. */
  transition?: boolean
  replace?: boolean
  /** Kept with the entry of the history, for the page to read. */
  state?: unknown
} & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

/** A link within the shop. What stands behind it is read ahead when a pointer or a finger comes near. */
export function Link({ href, ...rest }: LinkProps) {
  const near = () => prefetch(href)
  return <RouteLink href={href} onPointerEnter={near} onTouchStart={near} onFocus={near} {...rest} />
}

/** A link that looks like a button. */
export function LinkButton({
  tone,
  isLarge,
  isWide,
  icon,
  className,
  children,
  ...rest
}: ButtonLook & LinkProps & { children: ReactNode }) {
  return (
    <Link className={buttonClass({ tone, isLarge, isWide }, className)} {...rest}>
      {icon}
      {children}
    </Link>
  )
}
