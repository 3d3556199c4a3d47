import { type Access, isAllowed, type Role } from '../kit/contract.ts'

const ADMIN_PAGES: { href: string; name: string; access: Access }[] = [
  { href: '/admin/chat', name: 'Support inbox', access: 'support' },
  { href: '/admin/answers', name: 'Assistant', access: 'support' },
  { href: '/admin/orders', name: 'Orders', access: 'staff' },
  { href: '/admin/reports', name: 'Reports', access: 'support' },
  { href: '/admin/code-cases', name: 'Bad codes', access: 'finance' },
  { href: '/admin/risk', name: 'Risk', access: 'finance' },
  { href: '/admin/disputes', name: 'Disputes', access: 'finance' },
  { href: '/admin/payouts', name: 'Payouts', access: 'finance' },
  { href: '/admin/transfers', name: 'USDC', access: 'finance' },
  { href: '/admin/categories', name: 'Categories', access: 'admin' },
  { href: '/admin/errors', name: 'Errors', access: 'admin' },
  { href: '/admin/audit', name: 'Audit log', access: 'admin' },
]

/** The staff pages of a role, the first of which is its entry. */
export const pagesOf = (role: Role) => ADMIN_PAGES.filter(({ access }) => isAllowed(access, role))

export const isStaffPath = (path: string) => path.startsWith('/admin/')

/** Other paths of staff lead to the 404 page. */
export const mayOpen = (path: string, role: Role) =>
  !isStaffPath(path) || pagesOf(role).some(({ href }) => path.startsWith(href))
