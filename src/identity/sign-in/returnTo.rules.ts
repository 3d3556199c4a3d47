// any origin serves: a path that leaves it is not a path of this shop
const HERE = 'http://shop.invalid'
const MAX_LENGTH = 2000

export function safeReturnTo(asked: string | null | undefined): string {
  if (!asked || asked.length > MAX_LENGTH || !isPath(asked) || !URL.canParse(asked, HERE)) return '/'
  const url = new URL(asked, HERE)
  const path = url.pathname + url.search + url.hash
  // checked again after parsing, which folds '/.//evil.example' to '//evil.example'; API calls are no pages
  return url.origin === HERE && isPath(path) && !url.pathname.startsWith('/api/') ? path : '/'
}

/** Starts with exactly one slash. Browsers read a backslash as a slash and skip tabs and line breaks. */
const isPath = (text: string) => /^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)

export function withReturnTo(page: string, returnTo: string): string {
  if (returnTo === '/') return page
  return `${page}${page.includes('?') ? '&' : '?'}returnTo=${encodeURIComponent(returnTo)}`
}
