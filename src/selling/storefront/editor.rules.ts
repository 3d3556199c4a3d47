import type { FieldPath } from 'react-hook-form'
import { handleProblem } from '../../catalogue/handle.rules.ts'
import { linkProblem, SECTIONS, type Section } from '../../catalogue/sellers/design.rules.ts'
import type { Problems } from '../../ui/form/savedForm.rules.ts'
import { accentIn, contrastOf, headerIn } from './colors.rules.ts'
import type { SellerDesign, Storefront } from './storefront.contract.ts'

/** The fields of the editor of a seller's page. `headerURL` is a new upload or the current picture. */
export type PageValues = {
  handle: string
  bio: string
  headerURL: string | null
  headerColor: string | null
  accentColor: string | null
  sections: Section[]
  featuredId: string | null
  links: { label: string; url: string }[]
}

export const FIELD_NAMES: Record<keyof PageValues, string> = {
  handle: 'Address',
  bio: 'About you',
  headerURL: 'Header picture',
  headerColor: 'Header color',
  accentColor: 'Accent color',
  sections: 'Order',
  featuredId: 'Featured product',
  links: 'Links',
}

export const SECTION_NAMES: Record<Section, string> = {
  about: 'About you and links',
  featured: 'Featured product',
  products: 'Products',
  reviews: 'Reviews',
}

/** The design of the shop: what a page looks like before its seller changes it. */
export const PLAIN = {
  headerURL: null,
  headerColor: null,
  accentColor: null,
  sections: [...SECTIONS],
  featuredId: null,
  links: [],
} satisfies Partial<PageValues>

export const valuesOf = ({ handle, bio, design, featuredId }: Storefront): PageValues => ({
  ...PLAIN,
  ...{ handle: handle ?? '', bio, featuredId },
  ...(design && {
    headerURL: design.header?.url ?? null,
    headerColor: design.headerColor,
    accentColor: design.accentColor,
    sections: design.sections,
    links: design.links,
  }),
})

export const isDesigned = (values: PageValues) =>
  (Object.keys(PLAIN) as (keyof typeof PLAIN)[]).some(
    (name) => JSON.stringify(values[name]) !== JSON.stringify(PLAIN[name]),
  )

/** An empty row of links is not saved. */
export const linksOf = (links: PageValues['links']) =>
  links.map(({ label, url }) => ({ label: label.trim(), url: url.trim() })).filter(({ label, url }) => label + url)

export function problemsOf({ handle, links }: PageValues) {
  const problems: Problems<FieldPath<PageValues>> = {}
  const wrong = handleProblem(handle)
  if (wrong) problems.handle = wrong
  for (const [i, { label, url }] of links.entries()) {
    if (!(label.trim() + url.trim())) continue
    if (!label.trim()) problems[`links.${i}.label`] = 'Name the link.'
    const reason = linkProblem(url.trim())
    if (reason) problems[`links.${i}.url`] = reason
  }
  return problems
}

/** The API lists at most this many products at once, the newest first. */
export const MAX_CHOICES = 200
/** The value of the choice that features no product. */
export const NONE = 'none'

type Choice = { id: string; title: string }

/** The choices of the featured product. They include the chosen one, even if it is off sale or not in the list. */
export function featuredOptions(products: Choice[], featuredId: string | null, featured: Choice | null) {
  const isListed = featuredId === null || products.some(({ id }) => id === featuredId)
  return [
    { value: NONE, label: 'None' },
    ...(isListed ? [] : [{ value: featuredId, label: featured?.title ?? 'A product that is off sale' }]),
    ...products.map(({ id, title }) => ({ value: id, label: title })),
  ]
}

/** The page as buyers would see it with these values. `color` fills the header until its picture has loaded. */
export const designOf = (
  values: PageValues,
  featured: SellerDesign['featured'],
  color: string | null,
): SellerDesign => ({
  header: values.headerURL === null ? null : { url: values.headerURL, color },
  headerColor: values.headerColor,
  accentColor: values.accentColor,
  sections: values.sections,
  featured,
  links: linksOf(values.links),
})

/** Describes how the page changes the accent of a seller. */
export function describeAccent(color: string): string {
  const changes = [
    accentIn('light', color).accent !== color && 'darker in light mode',
    accentIn('dark', color).accent !== color && 'lighter in dark mode',
  ].filter(Boolean)
  return changes.length === 0
    ? 'The color of buttons and links.'
    : `Buttons and links are ${changes.join(' and ')}, so that everybody can read them.`
}

export const describeHeader = (color: string): string => {
  const { ground, ink } = headerIn('light', color)
  return `Text on it is ${ink === '#ffffff' ? 'white' : 'black'}, with a contrast of ${contrastOf(ground, ink).toFixed(1)} to 1.`
}
