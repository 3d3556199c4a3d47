import type { Saved } from './wishlist.contract.ts'

export const takeOut = (list: Saved[], { id }: Pick<Saved, 'id'>): Saved[] => list.filter((saved) => saved.id !== id)

export const putBack = (list: Saved[], product: Saved): Saved[] =>
  [...takeOut(list, product), product].toSorted((a, b) => b.savedAt.localeCompare(a.savedAt))
