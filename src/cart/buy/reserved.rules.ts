import type { Product, ProductDetail } from '../../catalogue/catalogue.contract.ts'

// Heights in rem of the parts of a product's page that load later, so that they move nothing.

const ROW = 4
const MAX_DATES = 3

/** Products in lists only show whether they have a sample. */
export function heightOfSamples({ hasSample }: Pick<Product, 'hasSample'>, detail: ProductDetail | undefined): number {
  if (!detail) return hasSample ? ROW : 0
  return ROW * ((detail.samples?.length ?? 0) + (detail.lessons?.free ? 1 : 0))
}

/** The parts of a bundle with their heading and sum, or the dates of a course. */
export function heightOfContents(detail: ProductDetail | undefined): number {
  if (detail?.parts?.length) return ROW * detail.parts.length + 4.5
  if (!detail?.lessons) return 0
  return 1.2 + 2.4 * Math.min(MAX_DATES, detail.lessons.later.length)
}
