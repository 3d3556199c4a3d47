import { isPublicName } from '../../kit/outside/publicName.rules.ts'

/** The parts of a seller's page below its head, in the order of the shop. */
export const SECTIONS = ['about', 'featured', 'products', 'reviews'] as const
export type Section = (typeof SECTIONS)[number]

export const MAX_LINKS = 5
export const MAX_LABEL_LENGTH = 40
export const MAX_URL_LENGTH = 300

export const COLOR = /^#[0-9a-f]{6}$/

/** Returns why a seller's page may not link to an address, or null. */
export function linkProblem(typed: string): string | null {
  if (!URL.canParse(typed)) return 'Write the whole address, such as https://example.com.'
  const url = new URL(typed)
  if (url.protocol !== 'https:') return 'The address must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'The address must not contain a name or password.'
  if (!isPublicName(url.hostname)) return 'The address must lead to a public site.'
  if (url.href.length > MAX_URL_LENGTH) return `The address can have at most ${MAX_URL_LENGTH} characters.`
  return null
}

/** Returns whether each section is in the list once. */
export const isOrder = (sections: readonly string[]) =>
  sections.length === SECTIONS.length && SECTIONS.every((section) => sections.includes(section))

export type StoredDesign = {
  headerColor: string | null
  accentColor: string | null
  sections: Section[]
  featuredId: string | null
  links: { label: string; url: string }[]
}

/** Returns whether a page with this design has the look of the shop. */
export const isPlain = ({ headerColor, accentColor, sections, featuredId, links }: StoredDesign) =>
  headerColor === null &&
  accentColor === null &&
  featuredId === null &&
  links.length === 0 &&
  sections.every((section, i) => section === SECTIONS[i])
