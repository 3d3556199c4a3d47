import { required } from '../values/required.ts'
export type Matcher = { method: string; pattern: RegExp; names: string[] }

/** Parses 'GET /api/products/:id' into the method, a pattern with a group for each parameter, and the names. */
export function matcherOf(line: string): Matcher {
  const [method, url] = line.split(' ') as [string, string]
  const parts = url
    .split('/')
    .map((part) =>
      part.startsWith(':') ? '([^/]+)' : part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
    )
  return {
    method,
    pattern: new RegExp(`^${parts.join('/')}$`),
    names: [...url.matchAll(/:(\w+)/g)].map(([, name]) => required(name, 'a name')),
  }
}
