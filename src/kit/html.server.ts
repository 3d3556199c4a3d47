export type Html = { readonly html: string }

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

type Value = Html | string | number | false | null | undefined | Value[]

function render(value: Value): string {
  if (Array.isArray(value)) return value.map(render).join('')
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object') return value.html
  return escapeHtml(String(value))
}

/** html`<p>${name}</p>` escapes text, joins arrays and nested html``, and omits false, null and undefined. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: parts.reduce((all, part, i) => all + render(values[i - 1]) + part) }
}

/** Marks text of the shop (an SVG, a style sheet) as HTML. Never use it on input. */
export const trustedHtml = (text: string): Html => ({ html: text })
