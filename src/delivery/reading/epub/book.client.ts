import { ENCRYPTION_PATH, isProtected } from '../../../uploads/checks/protection.rules.ts'
import { FileFault } from '../fault.ts'
import { readChapter, type Chapter } from './chapter.client.ts'
import { named, parseMarkup } from './markup.client.ts'
import { fragmentOf, resolvePath } from './path.rules.ts'
import { openPictures } from './pictures.client.ts'
import { decodeText } from './text.rules.ts'
import { openZip } from './unzip.client.ts'

// Reads an EPUB as chapters in order. It runs no scripts, and loads pictures from the book only.

export type TocEntry = { title: string; chapter: number; fragment: string; level: number }
export type Book = {
  /** Length of each chapter in bytes; 0 for a missing one. */
  lengths: number[]
  toc: TocEntry[]
  isRightToLeft: boolean
  read: (chapter: number) => Promise<Chapter | null>
  chapterAt: (path: string) => number
  close: () => void
}

const MAX_CHAPTERS = 5000

export async function openBook(file: Blob): Promise<Book> {
  try {
    return await readBook(file)
  } catch (error) {
    throw error instanceof FileFault ? error : new FileFault('damaged', error)
  }
}

async function readBook(file: Blob): Promise<Book> {
  const { find, read } = await openZip(file)
  const encryption = await read(ENCRYPTION_PATH)
  if (encryption && isProtected(decodeText(encryption))) throw new FileFault('protected')
  const parse = async (path: string) => {
    const bytes = await read(path)
    if (!bytes) throw new Error(`the book lacks ${path}`)
    return parseMarkup(bytes)
  }
  const [root] = named(await parse('META-INF/container.xml'), 'rootfile')
  const packagePath = root?.getAttribute('full-path') ?? ''
  const opf = await parse(packagePath)
  const items = new Map(named(opf, 'item').map((item) => [item.getAttribute('id') ?? '', item]))
  const pathOf = (item: Element | undefined | null) => item && resolvePath(packagePath, item.getAttribute('href') ?? '')
  const [spine] = named(opf, 'spine')
  const chapters = named(opf, 'itemref')
    .slice(0, MAX_CHAPTERS)
    .map((one) => pathOf(items.get(one.getAttribute('idref') ?? '')) ?? '')
  if (chapters.length === 0) throw new FileFault('empty')
  const entries = chapters.map(find)
  if (entries.every((entry) => entry === undefined)) throw new Error('the book has no chapter')
  const chapterAt = (path: string) => {
    const entry = find(path)
    return entry ? entries.indexOf(entry) : -1
  }
  const pictures = openPictures({ find, read })
  return {
    lengths: entries.map((entry) => entry?.bytes ?? 0),
    toc: await readToc(),
    isRightToLeft: spine?.getAttribute('page-progression-direction') === 'rtl',
    chapterAt,
    read: async (chapter) => {
      const bytes = await read(chapters[chapter]!)
      return bytes && readChapter(chapters[chapter]!, bytes, pictures)
    },
    close: pictures.close,
  }

  /** Finds the table of contents: a navigation page in EPUB 3, an NCX in EPUB 2. */
  async function readToc(): Promise<TocEntry[]> {
    const all = [...items.values()]
    const nav = all.find((item) => /\bnav\b/.test(item.getAttribute('properties') ?? ''))
    const ncx =
      items.get(spine?.getAttribute('toc') ?? '') ??
      all.find((item) => item.getAttribute('media-type') === 'application/x-dtbncx+xml')
    const found = nav ? await readLinks(nav, linksOfNav) : []
    return found.length > 0 || !ncx ? found : readLinks(ncx, linksOfNcx)
  }

  async function readLinks(item: Element, linksOf: (listed: Document) => Link[]): Promise<TocEntry[]> {
    const path = pathOf(item)
    const bytes = path && (await read(path))
    if (!path || !bytes) return []
    return linksOf(parseMarkup(bytes)).flatMap(({ title, href, level }) => {
      const target = resolvePath(path, href)
      const chapter = target === null ? -1 : chapterAt(target)
      const text = title.replace(/\s+/g, ' ').trim().slice(0, 200)
      return chapter < 0 || !text
        ? []
        : [{ title: text, chapter, fragment: fragmentOf(href), level: Math.min(1, level) }]
    })
  }
}

type Link = { title: string; href: string; level: number }

const linksOfNav = (listed: Document): Link[] =>
  named(named(listed, 'nav').find(isToc) ?? listed.documentElement, 'a').map((link) => ({
    ...{ title: link.textContent, href: link.getAttribute('href') ?? '', level: depthOf(link, 'ol') - 1 },
  }))

const linksOfNcx = (listed: Document): Link[] =>
  named(listed, 'navPoint').map((point) => ({
    title: named(point, 'text')[0]?.textContent ?? '',
    href: named(point, 'content')[0]?.getAttribute('src') ?? '',
    level: depthOf(point, 'navPoint'),
  }))

const isToc = (nav: Element) =>
  [...nav.attributes].some(({ name, value }) => /(^|:)type$/.test(name) && /\btoc\b/.test(value))

function depthOf(element: Element, name: string): number {
  let depth = 0
  for (let above = element.parentElement; above; above = above.parentElement) if (above.localName === name) depth++
  return depth
}
