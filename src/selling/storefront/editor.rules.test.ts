import { expect, test } from 'vitest'
import {
  describeAccent,
  describeHeader,
  designOf,
  featuredOptions,
  isDesigned,
  linksOf,
  type PageValues,
  PLAIN,
  problemsOf,
  valuesOf,
} from './editor.rules.ts'

const values: PageValues = { ...PLAIN, handle: 'ada-o', bio: '' }

test('a page without a design has the values of the shop', () => {
  const page = { handle: null, bio: 'I bind books.', isOpen: false, design: null, featuredId: null }
  expect(valuesOf(page)).toEqual({ ...PLAIN, handle: '', bio: 'I bind books.' })
  expect(isDesigned(valuesOf(page))).toBe(false)
  expect(isDesigned({ ...values, bio: 'Text' })).toBe(false)
  expect(isDesigned({ ...values, accentColor: '#102030' })).toBe(true)
  expect(isDesigned({ ...values, sections: PLAIN.sections.toReversed() })).toBe(true)
})

test('converts a design to values and back to the same design', () => {
  const design = {
    ...{ header: { url: '/images/1/640.webp', color: '#334455' }, headerColor: '#102030', accentColor: null },
    ...{
      sections: PLAIN.sections.toReversed(),
      featured: null,
      links: [{ label: 'Site', url: 'https://example.com' }],
    },
  }
  const typed = valuesOf({ handle: 'ada-o', bio: '', isOpen: true, design, featuredId: null })
  expect(designOf(typed, null, '#334455')).toEqual(design)
})

test('an empty row of links is neither a problem nor saved', () => {
  const links = [
    { label: ' ', url: '' },
    { label: ' Site ', url: ' https://example.com ' },
  ]
  expect(problemsOf({ ...values, links })).toEqual({})
  expect(linksOf(links)).toEqual([{ label: 'Site', url: 'https://example.com' }])
})

test('shows the problems of a link at its fields', () => {
  const links = [
    { label: '', url: 'https://example.com' },
    { label: 'Shop', url: 'http://example.com' },
  ]
  expect(problemsOf({ ...values, handle: 'a', links })).toEqual({
    handle: 'Use 3 to 30 letters, digits and single hyphens',
    'links.0.label': 'Name the link.',
    'links.1.url': 'The address must begin with https://.',
  })
})

test('describes how the page changes a colour', () => {
  expect(describeAccent('#ffee00')).toBe('Buttons and links are darker in light mode, so that everybody can read them.')
  expect(describeAccent('#000000')).toBe('Buttons and links are lighter in dark mode, so that everybody can read them.')
  expect(describeHeader('#000000')).toBe('Text on it is white, with a contrast of 21.0 to 1.')
})

test('the choices of the featured product contain the chosen one, on sale or not', () => {
  const [moss, rain] = [
    { id: '1', title: 'Moss' },
    { id: '2', title: 'Rain' },
  ]
  const labels = (...given: Parameters<typeof featuredOptions>) => featuredOptions(...given).map(({ label }) => label)
  expect(labels([moss], null, null)).toEqual(['None', 'Moss'])
  expect(labels([moss], '1', moss)).toEqual(['None', 'Moss'])
  expect(labels([moss], '2', rain)).toEqual(['None', 'Rain', 'Moss'])
  expect(labels([moss], '2', null)).toEqual(['None', 'A product that is off sale', 'Moss'])
})
