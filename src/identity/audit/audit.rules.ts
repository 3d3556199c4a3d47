// The audited acts of staff and their labels. The word before the dot is the kind.

export const ACTS = {
  'account.added': 'Added an account',
  'account.granted': 'Made an administrator',
  'account.revoked': 'Took the administrator role away',
  'account.password': 'Set a password',
  'account.factor_off': 'Turned a second factor off',
  'account.session': 'Signed in from the command line',
  'account.credited': 'Gave store credit',
  'order.refunded': 'Refunded an order',
  'support.answered': 'Answered a customer',
  'support.settled': 'Settled a conversation',
  'news.sent': 'Sent news',
  'product.files': 'Replaced files of a product',
  'risk.approved': 'Released a held order',
  'risk.refused': 'Refused a held order',
  'risk.blocked': 'Paused payments',
  'risk.lifted': 'Let payments go on',
  'risk.weights': 'Changed the weights of risk',
  'payment.tested': 'Sent a test webhook',
  'error.open': 'Opened an error again',
  'error.muted': 'Muted an error',
  'error.fixed': 'Marked an error as fixed',
} as const

export type Act = keyof typeof ACTS

export const KINDS = {
  account: 'Accounts',
  order: 'Orders',
  support: 'Support',
  product: 'Products',
  risk: 'Risk',
  payment: 'Payments',
  error: 'Errors',
  news: 'News',
} as const
export type Kind = keyof typeof KINDS

/** Falls back to the bare name, for acts of a later version. */
export const nameOfAct = (act: string): string => (ACTS as Record<string, string>)[act] ?? act

/** 'amount: $12.00 · reason: damaged' */
export const describeDetails = (details: Record<string, string>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ')
