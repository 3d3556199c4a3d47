// Converts HTML descriptions of other shops to Markdown. Elements without a Markdown equivalent become text.
// The shop renders the result as Markdown, never as HTML.

// the lookahead fixes the end of the tag name; without it, an unclosed tag causes excessive backtracking
const TAG = /<(\/?)([a-z][a-z0-9]{0,30})(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/gi
const HREF = /\bhref\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i
const MAX_ATTRIBUTES_LENGTH = 4_000
/** The converter drops deeper or longer marks, because closing a mark copies the text since its start. */
const MAX_OPEN = 50
const MAX_MARKED_LENGTH = 3_000
const HIDDEN = /<!--|<(script|style|iframe|svg|head|template|noscript)\b/gi
const BLOCKS = new Set(
  'p div section article header footer blockquote table tr pre figure figcaption ul ol dl dd dt hr main'.split(' '),
)

const ENTITIES: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', euro: '€' },
  ...{ hellip: '…', mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', middot: '·' },
  ...{ laquo: '«', raquo: '»', times: '×', deg: '°', pound: '£', yen: '¥', sect: '§', eacute: 'é', egrave: 'è' },
  ...{
    agrave: 'à',
    aacute: 'á',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    ntilde: 'ñ',
  },
}

export const isHtml = (text: string): boolean => /<\/?[a-z][a-z0-9]*[\s/>]|&(?:#\d+|#x[\da-f]+|[a-z]+);/i.test(text)

type Open = { sign: string; at: number }

export function readHtml(html: string): string {
  const source = withoutHidden(html)
  const done: string[] = []
  /** The end of the text, in which marks may still be open. It must stay short, because each step copies it. */
  let out = ''
  let at = 0
  const links: Open[] = []
  const marks: Open[] = []
  const lists: { isOrdered: boolean; count: number }[] = []
  const say = (text: string) => {
    const words = decode(text).replace(/\s+/g, ' ')
    out += out === '' || /\s/.test(out.at(-1)!) ? words.trimStart() : words
  }
  const breakLine = (wanted: number) => {
    if (out.endsWith(' ')) out = out.slice(0, -1)
    if (out !== '') out += '\n'.repeat(Math.max(0, wanted - (out.endsWith('\n\n') ? 2 : out.endsWith('\n') ? 1 : 0)))
  }
  const cutOff = () => {
    if (out.length < 2 * MAX_MARKED_LENGTH) return
    const cut = out.length - MAX_MARKED_LENGTH
    done.push(out.slice(0, cut))
    out = out.slice(cut)
    for (const stack of [links, marks]) {
      const opened = stack.splice(0).map((one) => ({ ...one, at: one.at - cut }))
      stack.push(...opened.filter((one) => one.at >= 0))
    }
  }
  const open = (stack: Open[], one: Open) => void (stack.length < MAX_OPEN && stack.push(one))
  /** Replaces the text since the opening tag with `write(text)`. */
  const close = (stack: Open[], sign: string, write: (words: string, sign: string) => string | null) => {
    const index = stack.findLastIndex((one) => sign === '' || one.sign === sign)
    if (index < 0) return
    const [open] = stack.splice(index, 1)
    const inner = out.slice(open!.at)
    const words = inner.trim()
    const written = words !== '' && !words.includes('\n') ? write(words, open!.sign) : null
    if (written === null) return
    out = out.slice(0, open!.at) + (/^\s/.test(inner) ? ' ' : '') + written + (/\s$/.test(inner) ? ' ' : '')
  }
  for (const { index, 0: whole, 1: slash, 2: given, 3: attributes = '' } of source.matchAll(TAG)) {
    say(source.slice(at, index))
    cutOff()
    at = index + whole.length
    const [tag, isEnd] = [given!.toLowerCase(), slash === '/']
    const sign = SIGNS[tag]
    if (sign && isEnd) close(marks, sign, (words) => (words.includes('*') ? null : sign + words + sign))
    else if (sign) open(marks, { sign, at: out.length })
    else if (tag === 'a' && isEnd) close(links, '', writeLink)
    else if (tag === 'a') open(links, { sign: hrefOf(attributes), at: out.length })
    else if (tag === 'br') breakLine(1)
    else if (/^h[1-6]$/.test(tag)) {
      breakLine(2)
      if (!isEnd) out += '## '
    } else if (tag === 'li') {
      breakLine(1)
      const list = lists.at(-1)
      if (!isEnd) out += list?.isOrdered ? `${++list.count}. ` : '- '
    } else if (BLOCKS.has(tag)) {
      const isList = tag === 'ul' || tag === 'ol'
      if (isList && isEnd) lists.pop()
      breakLine(isList && lists.length > 0 ? 1 : 2)
      if (isList && !isEnd) lists.push({ isOrdered: tag === 'ol', count: 0 })
    }
  }
  say(source.slice(at))
  return [...done, out]
    .join('')
    .replace(/(?<! ) +\n/g, '\n')
    .replace(/^(?:## *|- )\n/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const SIGNS: Record<string, string> = { strong: '**', b: '**', em: '*', i: '*' }

function hrefOf(attributes: string): string {
  const [, double, single, bare] = HREF.exec(attributes.slice(0, MAX_ATTRIBUTES_LENGTH)) ?? []
  return decode(double ?? single ?? bare ?? '').trim()
}

const writeLink = (words: string, href: string) =>
  /^https?:\/\/[^\s()<>]{1,1000}$/.test(href) && !/[[\]]/.test(words) ? `[${words}](${href})` : null

/** Removes comments, scripts and other elements that are not text. An unclosed one hides the rest. */
function withoutHidden(html: string): string {
  let out = ''
  for (let at = 0; ;) {
    HIDDEN.lastIndex = at
    const begin = HIDDEN.exec(html)
    if (!begin) return out + html.slice(at)
    out += html.slice(at, begin.index)
    const end = begin[1] ? new RegExp(`</${begin[1]}\\s*>`, 'gi') : /-->/g
    end.lastIndex = begin.index
    const found = end.exec(html)
    if (!found) return out
    at = found.index + found[0].length
  }
}

const decode = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : whole
      const code = decimal ? Number(decimal) : parseInt(hex!, 16)
      return code > 31 && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' '
    },
  )
