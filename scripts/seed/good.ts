import { createHash } from 'node:crypto'

/** What a good carries: the file its buyer downloads. */
export type FileKind = 'pdf' | 'epub' | 'wav' | 'zip'

export type CategoryId = 'gift-cards' | 'crypto' | 'prepaid' | 'ebooks' | 'courses' | 'software' | 'audio'

/** A product of the demo store. `price` is a decimal string in USD. */
export type Good = {
  id: string
  slug: string
  title: string
  description: string
  price: string
  categoryId: CategoryId
  file: FileKind
  isFeatured?: boolean
}

/** A good as its own list writes it down; category, file and id follow from where it stands. */
export type Listing = Pick<Good, 'slug' | 'title' | 'description' | 'price' | 'isFeatured'>

/** One heading with its paragraphs: a chapter of a book, a lesson of a course, a page of a guide. */
export type Section = { heading: string; paragraphs: string[] }

export function goodOf(
  { slug, title, description, price, isFeatured }: Listing,
  categoryId: CategoryId,
  file: FileKind,
): Good {
  return { id: idOf(slug), slug, title, description, price, categoryId, file, ...(isFeatured && { isFeatured }) }
}

/** The same uuid for the same slug for ever (version 8: our own layout), so that seeding twice changes nothing. */
export function idOf(slug: string) {
  const hex = createHash('sha256').update(slug).digest('hex')
  const variant = ((parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
