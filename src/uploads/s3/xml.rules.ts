const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescape = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) =>
    name ? (ENTITIES[name] ?? whole) : String.fromCodePoint(parseInt(decimal ?? hex!, decimal ? 10 : 16)),
  )

export const escapeXml = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

export function readText(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)
  return found ? unescape(found[1]!) : null
}

export const readAll = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs'))].map(([, content]) => content!)

/** Example: ['Part', [['ETag', '"x"']]] becomes '<Part><ETag>"x"</ETag></Part>'. */
export type Node = readonly [name: string, content: string | number | readonly Node[]]
export const writeXml = ([name, content]: Node): string =>
  `<${name}>${typeof content === 'object' ? content.map(writeXml).join('') : escapeXml(String(content))}</${name}>`
