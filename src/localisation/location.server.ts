import type { Config } from '../kit/config.server.ts'
import type { LocalisationConfig } from './localisation.settings.server.ts'
import { handlePublic } from '../kit/handle.server.ts'
import { isOutside } from '../kit/outside/outside.server.ts'
import { tidyText } from '../kit/text.rules.ts'
import { getLocation, type Location } from './localisation.contract.ts'
import { dropOldest } from '../kit/values/dropOldest.ts'

const TIMEOUT_MS = 2_000
const KEPT_MS = 24 * 3_600_000
const FAILED_MS = 60_000
const MAX_KEPT = 10_000
const HOME = 'US'
const NO_COUNTRY = /^(XX|T1|A1|A2)$/

const names = new Intl.DisplayNames(['en'], { type: 'region' })

export type Locator = ReturnType<typeof openLocator>

type Place = { country: string; city: string }

/** Finds the location of a visitor by the proxy's header or by a lookup service. Caches locations in memory. */
export function openLocator({
  geoUrl,
  geoHeader,
  isProxyTrusted,
}: Pick<Config & LocalisationConfig, 'geoUrl' | 'geoHeader' | 'isProxyTrusted'>) {
  const kept = new Map<string, { place: Promise<Place | null>; until: number }>()

  function look(ip: string): Promise<Place | null> {
    const known = kept.get(ip)
    if (known && known.until > performance.now()) return known.place
    if (kept.size >= MAX_KEPT) dropOldest(kept)
    const entry = { place: Promise.resolve<Place | null>(null), until: performance.now() + KEPT_MS }
    entry.place = askPlace(geoUrl!, ip).catch(() => {
      entry.until = performance.now() + FAILED_MS
      return null
    })
    kept.set(ip, entry)
    return entry.place
  }

  function told({ header }: Visitor): Place | null {
    const country = geoHeader && isProxyTrusted ? readCountry(header(geoHeader)) : null
    return country ? { country, city: '' } : null
  }
  const find = async (visitor: Visitor) =>
    told(visitor) ?? (geoUrl && isOutside(visitor.ip) ? await look(visitor.ip) : null)
  return {
    find,
    countryOf: async (visitor: Visitor) => (await find(visitor))?.country ?? null,
    /** Returns the country from the cache, without a lookup. */
    recall: async (visitor: Visitor) => (told(visitor) ?? (await kept.get(visitor.ip)?.place))?.country ?? null,
  }
}

type Visitor = { ip: string; header: (name: string) => string | undefined }

export const locationRoutes = (locator: Locator) => [
  handlePublic(getLocation, { limits: [{ per: 'address', count: 60, seconds: 60 }] }, async (_input, visitor) =>
    locationOf(await locator.find(visitor), visitor.ip),
  ),
]

function locationOf(known: Place | null, ip: string): Location {
  const { country, city } = known ?? { country: HOME, city: '' }
  return { country_code: country, country_name: names.of(country) ?? country, city, ip, isKnown: known !== null }
}

function readCountry(given: unknown): string | null {
  const code = typeof given === 'string' ? given.trim().toUpperCase() : ''
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.test(code) ? code : null
}

/** `url` contains {ip}. Returns null if the service does not know the country. Throws if it does not respond. */
async function askPlace(url: string, ip: string): Promise<Place | null> {
  const response = await fetch(url.replace('{ip}', encodeURIComponent(ip)), {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`answered ${response.status}`)
  const body = (await response.json()) as { country_code?: unknown; city?: unknown } | null
  const country = readCountry(body?.country_code)
  const city = typeof body?.city === 'string' ? tidyText(body.city).slice(0, 100) : ''
  return country ? { country, city } : null
}
