import { isPublicName } from '../../kit/outside/publicName.rules.ts'

/** Returns why an endpoint is not allowed, or null. `isTest` also allows plain http on this machine. */
export function endpointProblem(endpoint: string, isTest = false): string | null {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (!url) return 'is not an address'
  if (isTest && url.protocol === 'http:' && url.hostname === '127.0.0.1') return null
  if (url.protocol !== 'https:' || url.port !== '') return 'must be https on its usual port'
  if (url.username !== '' || url.password !== '') return 'must not hold a password'
  return isPublicName(url.hostname) ? null : 'must be a public name'
}

export function verdictOf(status: number): 'done' | 'gone' | 'refused' | 'again' {
  if (status >= 200 && status < 300) return 'done'
  // 401 and 403: the browser subscribed with another key.
  if ([401, 403, 404, 410].includes(status)) return 'gone'
  return status === 429 || status >= 500 ? 'again' : 'refused'
}
