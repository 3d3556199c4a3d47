import type { AnchorHTMLAttributes, ReactNode } from 'react'
import { Link as RouteLink } from 'wouter'
import { prefetch } from '../kit/query/prefetch.client.ts'
import { buttonClass, type ButtonLook } from './Button.tsx'

type LinkProps = {
  href: string
  /** Animates the picture between the two pages with a view transition. */
  transition?: boolean
  replace?: boolean
  state?: unknown
} & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

/** A link to a page of the store. Hover, touch and focus prefetch the page. */
export function Link({ href, ...rest }: LinkProps) {
  const near = () => prefetch(href)
  return <RouteLink href={href} onPointerEnter={near} onTouchStart={near} onFocus={near} {...rest} />
}

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

export const BrowseProducts = () => (
  <LinkButton tone="primary" href="/categories">
    Browse Products
  </LinkButton>
)
