import { decodeText } from './text.rules.ts'

// Parses untrusted markup into a document. Parsing runs no script and loads nothing.

/** Browsers support HTML entities (&nbsp;) only in XML with this document type. */
const XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
const PROLOGUE = /^\s*(<\?xml[^>]*\?>)?\s*/
const DOCTYPE = /^<!DOCTYPE[^<>[]*(?:\[[^\]]*\][^<>]*)?>/i
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

export function parseMarkup(bytes: Uint8Array): Document {
  // removes the XML declaration, which must be the first text and is not needed after decoding
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

/** Closes self-closed tags and removes prefixes, which HTML does not support. `<title/>` would swallow the rest of the text. */
function parseHtml(text: string): Document {
  const closed = text
    .replace(/<([a-z][\w:-]*)(?=[\s/])([^<>]*)\/>/gi, (all, name: string, rest: string) =>
      VOID.test(name) ? all : `<${name}${rest}></${name}>`,
    )
    .replace(/<(\/?)(?:opf|ncx|xhtml|html|h|m|mml|svg):(?=[a-z])/gi, '<$1')
  return new DOMParser().parseFromString(closed, 'text/html')
}

export const named = (within: Document | Element, name: string): Element[] => [
  ...within.getElementsByTagNameNS('*', name),
]
