// any origin will do: a path that leaves it is not a path of this shop
const HERE = 'http://shop.invalid'
const LONGEST = 2000

/** Where a person goes after signing in: a page of this shop, or the home page whenever the asked-for place is not one. */
export function safeReturnTo(asked: string | null | undefined): string {
  if (!asked || asked.length > LONGEST || !isPath(asked) || !URL.canParse(asked, HERE)) return '/'
  const url = new URL(asked, HERE)
  const path = url.pathname + url.search + url.hash
  // parsing folds dots, so '/.//evil.example' is '//evil.example' only now; and no call is a page to land on
  return url.origin === HERE && isPath(path) && !url.pathname.startsWith('/api/') ? path : '/'
}

/** One slash, then no slash; browsers read a backslash as a slash and skip tabs and line breaks. */
const isPath = (text: string) => /^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)

/** The same page with the place to return to, which is left out when it is the home page. */
export function withReturnTo(page: string, returnTo: string): string {
  if (returnTo === '/') return page
  return `${page}${page.includes('?') ? '&' : '?'}returnTo=${encodeURIComponent(returnTo)}`
}
