import { decodeText } from './text.rules.ts'

// Markup of strangers as a document. Parsing runs nothing and loads nothing.

/** Browsers know the entities of HTML (&nbsp;) in XML of this type alone. */
const XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
const PROLOGUE = /^\s*(<\?xml[^>]*\?>)?\s*/
const DOCTYPE = /^<!DOCTYPE[^<>[]*(?:\[[^\]]*\][^<>]*)?>/i
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** Parses strictly, then with the entities of HTML, then as browsers read any page. */
export function parseMarkup(bytes: Uint8Array): Document {
  // an XML declaration must stand first, and says nothing that the text still needs
  const text = decodeText(bytes).replace(PROLOGUE, '')
  return parseXml(text) ?? parseXml(XHTML + escapeAmpersands(withoutDoctype(text))) ?? parseHtml(text)
}

function parseXml(text: string): Document | null {
  const document = new DOMParser().parseFromString(text, 'application/xhtml+xml')
  return document.getElementsByTagName('parsererror').length > 0 ? null : document
}

function withoutDoctype(text: string): string {
  const at = text.search(/<!DOCTYPE/i)
  return at < 0 ? text : text.slice(0, at) + text.slice(at).replace(DOCTYPE, '')
}

const escapeAmpersands = (text: string) => text.replace(/&(?!(?:#\d+|#x[\da-f]+|[a-z]\w*);)/gi, '&amp;')

/** HTML knows no self-closed title or script: all that follows would become its text. Nor does it know prefixes. */
function parseHtml(text: string): Document {
  const closed = text
    .replace(/<([a-z][\w:-]*)(?=[\s/])([^<>]*)\/>/gi, (all, name: string, rest: string) =>
      VOID.test(name) ? all : `<${name}${rest}></${name}>`,
    )
    .replace(/<(\/?)(?:opf|ncx|xhtml|html|h|m|mml|svg):(?=[a-z])/gi, '<$1')
  return new DOMParser().parseFromString(closed, 'text/html')
}

/** In any namespace. */
export const named = (within: Document | Element, name: string): Element[] => [
  ...within.getElementsByTagNameNS('*', name),
]
