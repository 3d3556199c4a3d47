import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { escapeHtml } from '../../../kit/html.server.ts'
import { ENCRYPTION_PATH, isProtected } from '../../../uploads/checks/protection.rules.ts'
import { readEntry, readZip, type ZipEntry } from '../../../uploads/checks/zip.server.ts'
import { chaptersOf, type Cut, percentOf } from './cut.rules.ts'

const MAX_ENTRY_BYTES = 16 * 1024 * 1024
/** A book may unpack to much more than its size. */
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024
const MAX_CHAPTERS = 5_000
const CHAPTER_TYPES = ['application/xhtml+xml', 'text/html']
/** The cut omits fonts: readers have their own, and a licence may forbid copies. */
const USED_TYPES: Record<string, string> = {
  ...{ css: 'text/css', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif' },
  ...{ webp: 'image/webp', svg: 'image/svg+xml' },
}
const STAMP = new Date('2026-01-01T12:00:00Z')

type BookFile = { path: string; type: string; bytes: Buffer }

/**
 * Cuts the first chapters of an EPUB as a new EPUB with only the files that they use. Null if it cannot be cut. Rejects if it
 * unpacks to too many bytes.
 */
export async function cutBook(book: Uint8Array): Promise<Cut | null> {
  const bytes = Buffer.from(book.buffer, book.byteOffset, book.byteLength)
  const readBytes = async (start: number, length: number) => bytes.subarray(start, start + length)
  const entries = await readZip(readBytes, bytes.length)
  if (!entries) return null
  const byPath = new Map<string, ZipEntry>(entries.map((entry) => [entry.name, entry]))
  let unpackedBytes = 0
  const read = async (path: string): Promise<Buffer | null> => {
    const entry = byPath.get(path)
    if (!entry) return null
    const unpacked = await readEntry(readBytes, entry, MAX_ENTRY_BYTES)
    unpackedBytes += unpacked?.length ?? 0
    if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Error('the book unpacks to too many bytes')
    return unpacked
  }
  const encryption = await read(ENCRYPTION_PATH)
  if (encryption && isProtected(encryption.toString())) return null
  const [container] = tagsOf((await read('META-INF/container.xml'))?.toString() ?? '', 'rootfile')
  const packagePath = container ? attributeOf(container, 'full-path') : ''
  const opf = (await read(packagePath))?.toString()
  if (!opf) return null
  const chapters = await readChapters(opf, packagePath, read)
  const lengths = chapters.map((chapter) => chapter.bytes.length)
  const shown = chaptersOf(lengths)
  if (shown === null) return null
  const files = chapters.slice(0, shown)
  const used = await readUsed(files, read)
  const percent = percentOf(sumOf(lengths.slice(0, shown)), sumOf(lengths))
  return { bytes: await packBook(headOf(opf), files, used), shown, whole: chapters.length, percent }
}

const sumOf = (lengths: number[]): number => lengths.reduce((sum, length) => sum + length, 0)

type Read = (path: string) => Promise<Buffer | null>

/** Reads the chapters in order. Omits the table of contents, because it lists chapters that the sample lacks. */
async function readChapters(opf: string, packagePath: string, read: Read): Promise<BookFile[]> {
  const items = new Map(tagsOf(opf, 'item').map((tag) => [attributeOf(tag, 'id'), tag]))
  const chapters: BookFile[] = []
  for (const reference of tagsOf(opf, 'itemref').slice(0, MAX_CHAPTERS)) {
    const item = items.get(attributeOf(reference, 'idref')) ?? ''
    const type = attributeOf(item, 'media-type')
    if (!CHAPTER_TYPES.includes(type) || attributeOf(item, 'properties').split(' ').includes('nav')) continue
    const path = resolve(packagePath, attributeOf(item, 'href'))
    if (path === null || chapters.some((chapter) => chapter.path === path)) continue
    const bytes = await read(path)
    if (bytes) chapters.push({ path, type, bytes })
  }
  return chapters
}

const REFERENCE = /\s(?:src|href|xlink:href|data)\s*=\s*["']([^"'#]+)/g

/** Reads the pictures and style sheets that chapters use. */
async function readUsed(chapters: BookFile[], read: Read): Promise<BookFile[]> {
  const used = new Map<string, BookFile>()
  for (const { path: from, bytes } of chapters)
    for (const [, reference = ''] of bytes.toString().matchAll(REFERENCE)) {
      const path = resolve(from, reference)
      const type = USED_TYPES[path?.split('.').at(-1)?.toLowerCase() ?? '']
      if (path === null || !type || used.has(path)) continue
      const found = await read(path)
      if (found) used.set(path, { path, type, bytes: found })
    }
  return [...used.values()]
}

type Head = { title: string; language: string; authors: string[] }

/** Reads title, language and authors. They are still escaped for XML. */
function headOf(opf: string): Head {
  const textsOf = (name: string) => tagsOf(opf, name).map(textOf)
  const [language = ''] = textsOf('language')
  return {
    title: textsOf('title')[0] || 'Sample',
    language: /^[\w-]{1,35}$/.test(language) ? language : 'en',
    authors: textsOf('creator'),
  }
}

/** Returns the text after a tag, escaped for XML. XML has neither the entities of HTML nor most control characters. */
const textOf = (tag: string): string =>
  tag
    .split('>')
    .slice(1)
    .join('>')
    .trim()
    .replaceAll(CONTROLS, '')
    .replaceAll(/&#(?:(\d{1,8})|x([\da-f]{1,6}));/gi, (reference, decimal: string | undefined, hex = '0') =>
      isXmlCharacter(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)) ? reference : '',
    )
    .replaceAll(/&(?!(?:amp|lt|gt|quot|apos|#\d{1,8}|#x[\da-fA-F]{1,6});)/g, '&amp;')

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g

const isXmlCharacter = (code: number): boolean =>
  [9, 10, 13].includes(code) ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

const titleOf = ({ bytes }: BookFile, index: number): string =>
  textOf(tagsOf(bytes.toString(), 'title')[0] ?? '') || `${index + 1}`

const NAV = 'sample-contents.xhtml'

/** Packs an EPUB whose spine has the chapters in order. */
export async function packBook(head: Head, chapters: BookFile[], used: BookFile[]): Promise<Uint8Array> {
  const zip = new ZipFile()
  const add = (path: string, bytes: string | Buffer, compress = true) =>
    zip.addBuffer(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, path, {
      compress,
      mtime: STAMP,
      forceDosTimestamp: true,
    })
  // the first entry, stored without compression, identifies an EPUB
  add('mimetype', 'application/epub+zip', false)
  add('META-INF/container.xml', CONTAINER)
  add('sample.opf', packageOf(head, chapters, used))
  add(NAV, contentsOf(head, chapters))
  for (const { path, bytes } of [...chapters, ...used]) add(path, bytes)
  zip.end()
  return Buffer.concat(await (zip.outputStream as Readable).toArray())
}

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="sample.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

const hrefOf = (path: string) => escapeHtml(encodeURI(path))

const packageOf = ({ title, language, authors }: Head, chapters: BookFile[], used: BookFile[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:sample:${encodeURIComponent(title.toWellFormed())}</dc:identifier>
<dc:title>${title}</dc:title><dc:language>${language}</dc:language>
${authors.map((author) => `<dc:creator>${author}</dc:creator>`).join('')}
<meta property="dcterms:modified">${STAMP.toISOString().slice(0, 19)}Z</meta>
</metadata>
<manifest>
<item id="contents" href="${NAV}" media-type="application/xhtml+xml" properties="nav"/>
${[...chapters, ...used].map(({ path, type }, i) => `<item id="file-${i}" href="${hrefOf(path)}" media-type="${type}"/>`).join('\n')}
</manifest>
<spine>${chapters.map((_, i) => `<itemref idref="file-${i}"/>`).join('')}</spine>
</package>
`

const contentsOf = ({ title, language }: Head, chapters: BookFile[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="${language}">
<head><title>${title}</title></head>
<body><nav epub:type="toc"><ol>
${chapters.map((chapter, i) => `<li><a href="${hrefOf(chapter.path)}">${titleOf(chapter, i)}</a></li>`).join('\n')}
</ol></nav></body>
</html>
`

/** Returns the tags of a name with the text up to the next tag, without the opening bracket: 'item id="a" href="b"/>'. */
const tagsOf = (xml: string, name: string): string[] =>
  xml
    .split('<')
    .slice(1)
    .filter(
      (tag) =>
        tag
          .split(/[\s/>]/, 1)[0]
          ?.split(':')
          .at(-1) === name,
    )

const ATTRIBUTE = /\s([\w:-]+)\s*=\s*["']([^"'<>]*)/g

/** Returns the value of an attribute, or an empty text. */
function attributeOf(tag: string, name: string): string {
  for (const [, key, value = ''] of tag.matchAll(ATTRIBUTE)) if (key === name) return value.replaceAll('&amp;', '&')
  return ''
}

/** Resolves a reference in a file of the book to a path. Null if it leads out of the book. */
function resolve(from: string, reference: string): string | null {
  if (reference === '') return null
  try {
    const url = new URL(reference, `book://book/${encodeURI(from)}`)
    return url.protocol === 'book:' ? decodeURIComponent(url.pathname.slice(1)) : null
  } catch {
    return null
  }
}
