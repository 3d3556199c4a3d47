import { fragmentOf, resolvePath } from './path.rules.ts'

// A chapter of a stranger as data: text, and elements of a short list without any attribute but those named here. What is not
// on the list gives its text alone; scripts, styles, frames and forms give nothing. React writes the rest, so no markup of the
// book reaches the page.

export type Part = string | Piece
export type Piece = {
  tag: Tag
  id?: string
  /** Of an image: an address of the reader's own, made from the bytes in the book. */
  src?: string
  alt?: string
  /** Of a link within the book. */
  to?: { path: string; fragment: string }
  /** Of a link to the web. */
  href?: string
  span?: number
  parts: Part[]
}
export type Chapter = { path: string; language: string; parts: Part[] }

const TAGS = [
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['figure', 'figcaption', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'caption', 'a', 'br', 'span'],
  ...[
    'em',
    'strong',
    'i',
    'b',
    'u',
    's',
    'small',
    'sub',
    'sup',
    'code',
    'q',
    'cite',
    'abbr',
    'mark',
    'ruby',
    'rt',
    'rp',
  ],
] as const
export type Tag = (typeof TAGS)[number]
const KNOWN = new Set<string>(TAGS)

/** Pages have one h1 of their own. */
const INSTEAD: Record<string, Tag> = {
  ...{
    h1: 'h2',
    section: 'div',
    article: 'div',
    aside: 'div',
    header: 'div',
    footer: 'div',
    main: 'div',
    center: 'div',
  },
  ...{ del: 's', ins: 'u', tt: 'code', kbd: 'code', samp: 'code', tfoot: 'tbody' },
}
/** What they hold is no text of the book. */
const SILENT = new Set([
  ...['script', 'style', 'iframe', 'object', 'embed', 'form', 'template', 'head', 'link', 'meta', 'base'],
  ...['audio', 'video', 'canvas', 'noscript', 'frame', 'frameset', 'portal', 'math-annotation'],
])
const MOST_DEEP = 60
/** Browsers lay out no table row of a million cells. */
const MOST_SPAN = 50

type OpenPicture = (path: string) => Promise<string | null>

export async function readChapter(path: string, bytes: Uint8Array, openPicture: OpenPicture): Promise<Chapter> {
  const text = new TextDecoder().decode(bytes)
  const strict = new DOMParser().parseFromString(text, 'application/xhtml+xml')
  // a book with a fault in its markup is read as browsers read any page
  const isBroken = strict.getElementsByTagName('parsererror').length > 0
  const document = isBroken ? new DOMParser().parseFromString(text, 'text/html') : strict
  const body = document.body ?? document.documentElement
  const language =
    document.documentElement.getAttribute('lang') ?? document.documentElement.getAttribute('xml:lang') ?? ''
  const waiting: Promise<void>[] = []
  const parts = [...body.childNodes].flatMap((node) => readNode(node, 0))
  await Promise.all(waiting)
  return { path, language: /^[a-z]{2,3}(-[\w-]{1,20})?$/i.test(language) ? language : '', parts }

  function readNode(node: ChildNode, depth: number): Part[] {
    if (node.nodeType === 3 || node.nodeType === 4) return node.nodeValue ? [node.nodeValue] : []
    if (node.nodeType !== 1 || depth > MOST_DEEP) return []
    const element = node as Element
    const name = element.localName.toLowerCase()
    if (SILENT.has(name)) return []
    // the cover of many books is a picture within a drawing
    if (name === 'image')
      return picture(element, element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '')
    if (name === 'img') return picture(element, element.getAttribute('src') ?? '')
    const tag = INSTEAD[name] ?? (KNOWN.has(name) ? (name as Tag) : null)
    const inner = [...element.childNodes].flatMap((child) => readNode(child, depth + 1))
    // titles and text of drawings and formulas stay, without their shapes
    if (!tag) return inner
    const id = element.getAttribute('id')
    const span = Number(element.getAttribute('colspan'))
    return [
      {
        tag,
        ...(id && { id: anchorOf(id) }),
        ...(tag === 'a' && linkOf(element.getAttribute('href'))),
        ...((tag === 'td' || tag === 'th') && span > 1 && span <= MOST_SPAN && { span }),
        parts: tag === 'br' || tag === 'hr' ? [] : inner,
      },
    ]
  }

  function picture(element: Element, reference: string): Part[] {
    const found = resolvePath(path, reference)
    if (found === null) return []
    const piece: Piece = { tag: 'img', alt: (element.getAttribute('alt') ?? '').slice(0, 500), parts: [] }
    waiting.push(
      openPicture(found).then((src) => {
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

/** Ids of a book have a prefix, so that none is one of the page. */
export const anchorOf = (id: string): string => `book-${id}`
