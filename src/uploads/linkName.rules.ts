import { cleanFileName } from './fileName.rules.ts'

/** The name from the server's header (RFC 6266), or the last part of the URL. */
export function nameOfLink(url: URL, disposition = ''): string {
  return cleanFileName(encoded(disposition) ?? quoted(disposition) ?? decode(url.pathname) ?? '') ?? url.hostname
}

const encoded = (disposition: string) => decode(/;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1])

function quoted(disposition: string): string | null {
  const [, inQuotes, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? []
  return inQuotes?.replace(/\\(.)/g, '$1') ?? bare ?? null
}

function decode(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
