import { readChapter, type Chapter } from './chapter.client.ts'
import { fragmentOf, resolvePath } from './path.rules.ts'
import { openZip } from './unzip.client.ts'

// An EPUB as chapters in order. Nothing of it is run or loaded: chapters become a list of known tags, and pictures are read
// from the book itself.

export type TocEntry = { title: string; chapter: number; fragment: string; level: number }
export type Book = {
  /** The length of each chapter in bytes. */
  lengths: number[]
  toc: TocEntry[]
  read: (chapter: number) => Promise<Chapter>
  /** The chapter at a path of the book; -1 for none. */
  chapterAt: (path: string) => number
  close: () => void
}

const MOST_CHAPTERS = 5000
const PICTURES: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png' },
  ...{ gif: 'image/gif', webp: 'image/webp', avif: 'image/avif' },
}

const parse = (bytes: Uint8Array | null) =>
  new DOMParser().parseFromString(new TextDecoder().decode(bytes ?? new Uint8Array()), 'application/xml')

/** In any namespace. */
const named = (within: Document | Element, name: string): Element[] => [...within.getElementsByTagNameNS('*', name)]

/** Throws for a file that is no book. */
export async function openBook(file: Blob): Promise<Book> {
  const { entries, read } = await openZip(file)
  const [root] = named(parse(await read('META-INF/container.xml')), 'rootfile')
  const packagePath = root?.getAttribute('full-path') ?? ''
  const opf = parse(await read(packagePath))
  const items = new Map(named(opf, 'item').map((item) => [item.getAttribute('id') ?? '', item]))
  const pathOf = (item: Element | undefined) => item && resolvePath(packagePath, item.getAttribute('href') ?? '')
  const chapters = named(opf, 'itemref')
    .slice(0, MOST_CHAPTERS)
    .map((one) => pathOf(items.get(one.getAttribute('idref') ?? '')))
    .filter((path): path is string => typeof path === 'string' && entries.has(path))
  if (chapters.length === 0) throw new Error('the book has no chapter')
  const chapterAt = (path: string) => chapters.indexOf(path)
  const pictures = new Map<string, Promise<string | null>>()

  /** The address of a picture of the book. */
  const openPicture = (path: string): Promise<string | null> => {
    const type = PICTURES[path.split('.').at(-1)!.toLowerCase()]
    if (!type || !entries.has(path)) return Promise.resolve(null)
    const known =
      pictures.get(path) ??
      read(path).then(
        (bytes) => bytes && URL.createObjectURL(new Blob([bytes], { type })),
        () => null,
      )
    pictures.set(path, known)
    return known
  }
  const toc = await readToc()

  async function readToc(): Promise<TocEntry[]> {
    const nav = [...items.values()].find((item) => /\bnav\b/.test(item.getAttribute('properties') ?? ''))
    const ncx = [...items.values()].find((item) => item.getAttribute('media-type') === 'application/x-dtbncx+xml')
    const path = pathOf(nav ?? ncx)
    if (!path) return []
    const listed = parse(await read(path))
    const links = nav
      ? named(named(listed, 'nav').find(isToc) ?? listed.documentElement, 'a').map((link) => ({
          ...{ title: link.textContent, href: link.getAttribute('href') ?? '', level: depthOf(link, 'ol') - 1 },
        }))
      : named(listed, 'navPoint').map((point) => ({
          title: named(point, 'text')[0]?.textContent ?? '',
          href: named(point, 'content')[0]?.getAttribute('src') ?? '',
          level: depthOf(point, 'navPoint'),
        }))
    return links.flatMap(({ title, href, level }) => {
      const target = resolvePath(path, href)
      const chapter = target === null ? -1 : chapterAt(target)
      const text = title.replace(/\s+/g, ' ').trim().slice(0, 200)
      return chapter < 0 || !text
        ? []
        : [{ title: text, chapter, fragment: fragmentOf(href), level: Math.min(1, level) }]
    })
  }
  return {
    lengths: chapters.map((path) => entries.get(path)!.bytes),
    toc,
    chapterAt,
    read: async (chapter) => readChapter(chapters[chapter]!, (await read(chapters[chapter]!))!, openPicture),
    close: () => {
      for (const picture of pictures.values())
        void picture.then((address) => address !== null && URL.revokeObjectURL(address))
    },
  }
}

const isToc = (nav: Element) =>
  [...nav.attributes].some(({ name, value }) => /(^|:)type$/.test(name) && /\btoc\b/.test(value))

function depthOf(element: Element, name: string): number {
  let depth = 0
  for (let above = element.parentElement; above; above = above.parentElement) if (above.localName === name) depth++
  return depth
}
