import { MATH_TAGS, mathAttributes } from './math.client.ts'
import { parseMarkup } from './markup.client.ts'
import { fragmentOf, resolvePath } from './path.rules.ts'

// Converts untrusted chapter markup to data with an allowlist of elements and attributes. Other elements keep only
// their text; scripts, styles, frames and forms are dropped. React renders the result, so no markup of the book reaches
// the page.

export type Direction = 'ltr' | 'rtl' | 'auto'
export type Part = string | Piece
export type Piece = {
  tag: Tag
  id?: string
  dir?: Direction
  lang?: string
  /** Object URL of a picture in the book. */
  src?: string
  alt?: string
  to?: { path: string; fragment: string }
  href?: string
  numbers?: { start?: number; value?: number; colSpan?: number; rowSpan?: number }
  numbering?: Numbering
  isReversed?: boolean
  math?: Record<string, string>
  parts: Part[]
}
export type Chapter = { path: string; language: string; dir: Direction; parts: Part[] }

const TAGS = [
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['figure', 'figcaption', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'caption', 'a', 'br', 'span'],
  ...['em', 'strong', 'i', 'b', 'u', 's', 'small', 'sub', 'sup', 'code', 'q', 'cite', 'abbr', 'mark'],
  ...['ruby', 'rt', 'rp', 'bdi', 'bdo'],
  ...MATH_TAGS,
] as const
export type Tag = (typeof TAGS)[number]
const KNOWN = new Set<string>(TAGS)
const MATH = new Set<string>(MATH_TAGS)

/** A page has one h1, so headings of a book start at h2. */
const INSTEAD: Record<string, Tag> = {
  ...{ h1: 'h2', section: 'div', article: 'div', aside: 'div', header: 'div', footer: 'div', main: 'div' },
  ...{ center: 'div', del: 's', ins: 'u', tt: 'code', kbd: 'code', samp: 'code', tfoot: 'tbody', mfenced: 'mrow' },
}
const SILENT = new Set([
  ...['script', 'style', 'iframe', 'embed', 'form', 'template', 'head', 'link', 'meta', 'base', 'audio', 'video'],
  ...['canvas', 'noscript', 'frame', 'frameset', 'portal', 'annotation', 'annotation-xml'],
])
const NUMBERINGS = { a: 'lower-alpha', A: 'upper-alpha', i: 'lower-roman', I: 'upper-roman' } as const
export type Numbering = (typeof NUMBERINGS)[keyof typeof NUMBERINGS]
const MAX_DEPTH = 60
/** Browsers cannot lay out a table row with a million cells. */
const MAX_SPAN = 50
const MAX_NUMBER = 1_000_000
const XLINK = 'http://www.w3.org/1999/xlink'
const LANGUAGE = /^[a-z]{2,3}(-[\w-]{1,20})?$/i

type Pictures = {
  open: (path: string) => Promise<string | null>
  draw: (svg: string) => string
}

export async function readChapter(path: string, bytes: Uint8Array, pictures: Pictures): Promise<Chapter> {
  const document = parseMarkup(bytes)
  const root = document.documentElement
  const body = document.body ?? root
  const isDrawing = root.localName === 'svg'
  const waiting: Promise<void>[] = []
  // shows hidden notes that the text links to
  const linked = new Set(
    [...body.querySelectorAll('[href*="#"]')].map((link) => fragmentOf(link.getAttribute('href')!)),
  )
  const parts = isDrawing ? readNode(root, 0) : [...body.childNodes].flatMap((node) => readNode(node, 0))
  await Promise.all(waiting)
  return {
    path,
    language: languageOf(root) ?? languageOf(body) ?? '',
    dir: directionOf(body) ?? directionOf(root) ?? 'auto',
    parts,
  }

  function readNode(node: ChildNode, depth: number): Part[] {
    if (node.nodeType === 3 || node.nodeType === 4) return node.nodeValue ? [node.nodeValue] : []
    if (node.nodeType !== 1 || depth > MAX_DEPTH) return []
    const element = node as Element
    const name = element.localName.toLowerCase()
    if (SILENT.has(name) || isHidden(element)) return []
    const shown = readPicture(element, name)
    if (shown) return shown
    const tag = INSTEAD[name] ?? (KNOWN.has(name) ? (name as Tag) : null)
    const inner = childrenOf(element, name).flatMap((child) => readNode(child, depth + 1))
    if (!tag) return inner
    return [pieceOf(element, tag, name === 'mfenced' ? fence(element, inner) : inner)]
  }

  function isHidden(element: Element): boolean {
    const hidden = element.getAttribute('hidden')
    return hidden !== null && hidden !== 'until-found' && !linked.has(element.getAttribute('id') ?? '')
  }

  function pieceOf(element: Element, tag: Tag, parts: Part[]): Piece {
    const id = element.getAttribute('id')
    const [dir, lang] = [directionOf(element), languageOf(element)]
    return {
      tag,
      ...(id && { id: anchorOf(id) }),
      ...(dir && { dir }),
      ...(lang && { lang }),
      ...(tag === 'a' && linkOf(element.getAttribute('href') ?? element.getAttributeNS(XLINK, 'href'))),
      ...(MATH.has(tag) ? { math: mathAttributes(element) } : layoutOf(element, tag)),
      parts: tag === 'br' || tag === 'hr' ? [] : parts,
    }
  }

  /** Shows the picture inside an SVG, as in many covers. Shows any other SVG as an image, without scripts. */
  function readPicture(element: Element, name: string): Part[] | null {
    const alt = element.getAttribute('alt') ?? ''
    if (name === 'img') return picture(element.getAttribute('src') ?? '', alt)
    if (name === 'image') return picture(linkAt(element), alt || titleOf(element))
    if (name === 'object') {
      const data = element.getAttribute('data') ?? ''
      return /^image\//.test(element.getAttribute('type') ?? '') ? picture(data, element.textContent.trim()) : []
    }
    if (name !== 'svg' || element.getElementsByTagNameNS('*', 'image').length > 0) return null
    const src = pictures.draw(new XMLSerializer().serializeToString(element))
    return [{ tag: 'img', src, alt: titleOf(element), parts: [] }]
  }

  function picture(reference: string, alt: string): Part[] {
    const piece: Piece = { tag: 'img', alt: alt.slice(0, 500), parts: [] }
    const found = resolvePath(path, reference)
    if (found !== null)
      waiting.push(
        pictures.open(found).then((src) => {
          if (src) piece.src = src
        }),
      )
    return [piece]
  }

  function linkOf(reference: string | null): Pick<Piece, 'to' | 'href'> {
    if (!reference) return {}
    if (/^https?:\/\//i.test(reference)) return { href: reference }
    const target = resolvePath(path, reference)
    return target === null ? {} : { to: { path: target, fragment: fragmentOf(reference) } }
  }
}

const linkAt = (element: Element): string =>
  element.getAttribute('href') ?? element.getAttributeNS(XLINK, 'href') ?? element.getAttribute('xlink:href') ?? ''

const titleOf = (drawing: Element): string =>
  (drawing.getAttribute('aria-label') ?? drawing.getElementsByTagNameNS('*', 'title')[0]?.textContent ?? '')
    .trim()
    .slice(0, 500)

function directionOf(element: Element): Direction | undefined {
  const dir = element.getAttribute('dir')?.toLowerCase()
  return dir === 'ltr' || dir === 'rtl' || dir === 'auto' ? dir : undefined
}

function languageOf(element: Element): string | undefined {
  const language = element.getAttribute('lang') ?? element.getAttribute('xml:lang') ?? ''
  return LANGUAGE.test(language) ? language : undefined
}

/** A book may offer alternatives, such as a formula and its picture. Shows the first that the reader supports. */
function childrenOf(element: Element, name: string): ChildNode[] {
  if (name !== 'switch') return [...element.childNodes]
  const cases = [...element.children]
  const isShown = (one: Element) => /MathML|svg|xhtml/i.test(one.getAttribute('required-namespace') ?? '')
  const shown = cases.find(isShown) ?? cases.find(({ localName }) => localName === 'default')
  return shown ? [...shown.childNodes] : []
}

/** Converts `mfenced` to operators, because browsers do not support it. */
function fence(element: Element, inner: Part[]): Part[] {
  const sign = (text: string): Piece => ({ tag: 'mo', parts: [text.slice(0, 3)] })
  const items = inner.filter((part) => typeof part !== 'string')
  const separator = (element.getAttribute('separators') ?? ',').trim().slice(0, 1)
  const listed = items.flatMap((part, i) => (i > 0 && separator ? [sign(separator), part] : [part]))
  return [sign(element.getAttribute('open') ?? '('), ...listed, sign(element.getAttribute('close') ?? ')')]
}

function layoutOf(element: Element, tag: Tag): Pick<Piece, 'numbers' | 'numbering' | 'isReversed'> {
  const read = (name: string, most: number) => {
    const value = Number(element.getAttribute(name) ?? Number.NaN)
    return Number.isInteger(value) && Math.abs(value) <= most ? value : undefined
  }
  const span = (name: string) => {
    const value = read(name, MAX_SPAN)
    return value !== undefined && value > 1 ? value : undefined
  }
  if (tag === 'td' || tag === 'th') return { numbers: clean({ colSpan: span('colspan'), rowSpan: span('rowspan') }) }
  if (tag === 'li') return { numbers: clean({ value: read('value', MAX_NUMBER) }) }
  if (tag !== 'ol') return {}
  const numbering = NUMBERINGS[(element.getAttribute('type') ?? '') as keyof typeof NUMBERINGS] as Numbering | undefined
  return {
    numbers: clean({ start: read('start', MAX_NUMBER) }),
    ...(numbering && { numbering }),
    ...(element.hasAttribute('reversed') && { isReversed: true }),
  }
}

const clean = (given: Record<string, number | undefined>): NonNullable<Piece['numbers']> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** Prefixes ids of a book, so that they do not collide with ids of the page. */
export const anchorOf = (id: string): string => `book-${id}`
