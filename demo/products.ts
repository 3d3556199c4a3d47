import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Listing = {
  slug: string
  title: string
  /** A decimal string in USD. */
  price: string
  categoryId: string
  fileType: 'pdf' | 'epub' | 'wav' | 'zip'
  description: string
  isFeatured?: boolean
}

/** A product of the demo store; `file` is the name of its file under content/files/. */
export type DemoProduct = Listing & { id: string; file: string }

type Series = Pick<Listing, 'categoryId' | 'fileType'> & {
  kinds: string[]
  use: string
  minCents: number
  maxCents: number
}

const CONTENT = join(import.meta.dirname, 'content')

export const readContent = <T>(name: string) => JSON.parse(readFileSync(join(CONTENT, name), 'utf8')) as T

export const filePath = ({ file }: DemoProduct) => join(CONTENT, 'files', file)

/** Returns the same version 8 UUID for a slug each time, so that seeding twice adds nothing. */
export function idOf(slug: string) {
  const hex = createHash('sha256').update(slug).digest('hex')
  const variant = ((parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** All products of the demo store, newest first; the featured products lead. */
export const readProducts = (): DemoProduct[] =>
  readContent<Listing[]>('products.json').map((listing) => ({
    ...listing,
    id: idOf(listing.slug),
    file: `${listing.slug}.${listing.fileType}`,
  }))

/** Makes `count` distinct products for load tests, the same in every run and spread evenly over the categories. */
export function makeProducts(count: number): DemoProduct[] {
  const content = readContent<{
    adjectives: string
    places: string
    voucherNotice: string
    productNotice: string
    series: Series[]
  }>('series.json')
  const [adjectives, places] = [content.adjectives.split(' '), content.places.split(' ')]
  return Array.from({ length: count }, (_, i) => {
    const at = i % content.series.length
    const turn = Math.floor(i / content.series.length)
    const { categoryId, fileType, kinds, use, minCents, maxCents } = content.series[at]!
    // Each series uses every combination of words once before a volume number is added.
    const adjective = adjectives[(turn + 5 * at) % 24]!
    const place = places[(Math.floor(turn / 24) + 5 * turn) % 24]!
    const kind = kinds[(Math.floor(turn / 576) + turn) % kinds.length]!
    const volume = Math.floor(turn / (576 * kinds.length)) + 1
    const name = `${adjective} ${place} ${kind}${volume > 1 ? ` No. ${volume}` : ''}`
    const isVoucher = fileType === 'pdf'
    const spread = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32
    const stepCents = isVoucher ? 500 : 50
    const dollars = (Math.round((minCents + (maxCents - minCents) * spread ** 3) / stepCents) * stepCents) / 100
    const slug = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${i + 1}`
    return {
      id: idOf(slug),
      slug,
      title: isVoucher ? `${name}, $${dollars}` : name,
      price: dollars.toFixed(2),
      categoryId,
      fileType,
      file: `filler.${fileType}`,
      description: `${use} ${isVoucher ? content.voucherNotice : content.productNotice}`,
    }
  })
}
