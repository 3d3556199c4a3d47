import type { Saved } from './wishlist.contract.ts'

export const takeOut = (list: Saved[], { id }: Pick<Saved, 'id'>): Saved[] => list.filter((saved) => saved.id !== id)

/** Inserts a product once, in the order of the list: newest first. */
export const putBack = (list: Saved[], product: Saved): Saved[] =>
  [...takeOut(list, product), product].toSorted((a, b) => b.savedAt.localeCompare(a.savedAt))
