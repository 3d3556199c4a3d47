/**
 * What one check of a rule looks at. A rule is written for the whole shop; `scope.server.ts` runs the same text on a few
 * orders, members, transfers or codes by hiding all other rows; so a text groups by each column that it shows, not by
 * a key alone. 'whole': cheap on the whole shop.
 */
export type Scope = 'order' | 'member' | 'transfer' | 'discount' | 'whole'

export type Rule = { name: string; scope: Scope; text: string }
