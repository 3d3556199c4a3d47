import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import { sendVitals, type Vital } from './vitals.contract.ts'

/** Measures this visit and tells the shop when the page is put away; `routeOf` names the page's pattern. */
export function measureVitals(routeOf: () => string | undefined) {
  const arrivedAt = routeOf()
  const waiting = new Map<Vital['name'], Vital>()

  // what belongs to the arrival is the first page's; the others are measured over the whole visit
  const keep = ({ name, value }: Metric) => {
    const route = name === 'CLS' || name === 'INP' ? (routeOf() ?? arrivedAt) : arrivedAt
    if (route) waiting.set(name, { name, value, route })
  }
  for (const measure of [onCLS, onFCP, onINP, onLCP, onTTFB]) measure(keep)

  addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden') return
    // the measures themselves are told of the same event, after us
    setTimeout(() => {
      if (waiting.size === 0) return
      const body = new Blob([JSON.stringify({ vitals: [...waiting.values()] })], { type: 'application/json' })
      waiting.clear()
      navigator.sendBeacon(sendVitals.line.slice('POST '.length), body)
    })
  })
}
