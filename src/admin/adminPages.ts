import { type Access, isAllowed, type Role } from '../kit/contract.ts'

/** In menu order. StaffPage has the names of the pages, so that shoppers do not load them. */
const ADMIN_PAGES: [href: string, access: Access][] = [
  ['/admin', 'staff'],
  ['/admin/chat', 'support'],
  ['/admin/answers', 'support'],
  ['/admin/orders', 'staff'],
  ['/admin/members', 'support'],
  ['/admin/reports', 'support'],
  ['/admin/code-cases', 'finance'],
  ['/admin/risk', 'finance'],
  ['/admin/disputes', 'finance'],
  ['/admin/payouts', 'finance'],
  ['/admin/transfers', 'finance'],
  ['/admin/categories', 'admin'],
  ['/admin/supply', 'admin'],
  ['/admin/errors', 'admin'],
  ['/admin/audit', 'admin'],
]

/** Returns the URLs of the staff pages of a role. The first URL is the role's start page. */
export const pagesOf = (role: Role) => ADMIN_PAGES.flatMap(([href, access]) => (isAllowed(access, role) ? [href] : []))

export const isStaffPath = (path: string) => /^\/admin(\/|$)/.test(path)

export const isAtPage = (path: string, href: string) =>
  path === href || path === `${href}/` || (href !== '/admin' && path.startsWith(`${href}/`))

export const mayOpen = (path: string, role: Role) =>
  !isStaffPath(path) || pagesOf(role).some((href) => isAtPage(path, href))
