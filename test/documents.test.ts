import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const listIn = (folder: string, options: { recursive?: boolean } = {}) =>
  readdirSync(join(ROOT, folder), { ...options, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const documents = [...listIn('.'), ...listIn('docs', { recursive: true }), ...listIn('decisions'), ...listIn('bench')]
const pages = listIn('docs/operating')

const MAX_README_WORDS = 900
const MAX_PAGE_WORDS = 1000

const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length

/** Removes code blocks: in them, # begins a comment instead of a heading. */
const withoutCode = (text: string) => text.replaceAll(/^ *```.*?^ *```$/gms, '')

/** Returns the anchors that GitHub makes from the headings. */
const anchorsOf = (file: string) =>
  [...withoutCode(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

function isBroken(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : join(dirname(file), path)
  if (!existsSync(join(ROOT, target))) return true
  return anchor !== undefined && (statSync(join(ROOT, target)).isDirectory() || !anchorsOf(target).includes(anchor))
}

/** Returns the links within the repository whose target does not exist. */
const findBrokenLinks = (file: string, text: string) =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link) && isBroken(file, link))

test('every link between documents resolves, with its anchor', () => {
  expect(documents.length).toBeGreaterThan(30)
  expect(documents.flatMap((file) => findBrokenLinks(file, read(file)).map((link) => `${file}: ${link}`))).toEqual([])
})

test.each(['missing.md', '#no-such-heading', 'docs/operating/alerts.md#primonothing', 'docs#x'])(
  'finds the broken link %s',
  (link) => expect(findBrokenLinks('README.md', `[text](${link})`)).toEqual([link]),
)

test('README.md has at most 900 words, and each page for operators at most 1,000', () => {
  const long = pages.filter((page) => countWords(read(page)) > MAX_PAGE_WORDS)
  expect({ long, readme: countWords(read('README.md')) <= MAX_README_WORDS }).toEqual({ long: [], readme: true })
})

test('the index of the pages for operators lists each page once', () => {
  const index = read('docs/operating/README.md')
  const listed = [...index.matchAll(/^- \[.+?\]\(([\w-]+\.md)\): /gm)].map(([, name]) => `docs/operating/${name}`)
  expect(listed.toSorted()).toEqual(pages.filter((page) => page !== 'docs/operating/README.md').toSorted())
})
