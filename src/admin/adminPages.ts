export const ADMIN_PAGES: { href: string; name: string }[] = [
  { href: '/admin/chat', name: 'Support inbox' },
  { href: '/admin/orders', name: 'Orders' },
  { href: '/admin/risk', name: 'Risk' },
  { href: '/admin/errors', name: 'Errors' },
  { href: '/admin/audit', name: 'Audit log' },
]
