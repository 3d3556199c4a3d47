// an arbitrary origin: a target that resolves to another origin is not a path of the shop
const HERE = 'http://shop.invalid'
const MAX_LENGTH = 2000

export function safeReturnTo(asked: string | null | undefined): string {
  if (!asked || asked.length > MAX_LENGTH || !isPath(asked) || !URL.canParse(asked, HERE)) return '/'
  const url = new URL(asked, HERE)
  const path = url.pathname + url.search + url.hash
  // checks again, because parsing turns '/.//evil.example' into '//evil.example'. API paths are not pages
  return url.origin === HERE && isPath(path) && !url.pathname.startsWith('/api/') ? path : '/'
}

/** Starts with exactly one slash. Browsers read a backslash as a slash and skip tabs and line breaks. */
const isPath = (text: string) => /^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)

export function withReturnTo(page: string, returnTo: string): string {
  if (returnTo === '/') return page
  return `${page}${page.includes('?') ? '&' : '?'}returnTo=${encodeURIComponent(returnTo)}`
}
