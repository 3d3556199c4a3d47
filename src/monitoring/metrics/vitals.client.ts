import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import { sendVitals, type Vital } from './vitals.contract.ts'

export function measureVitals(routeOf: () => string | undefined) {
  const arrivedAt = routeOf()
  const waiting = new Map<Vital['name'], Vital>()

  // load metrics belong to the first page, the others to the whole visit
  const keep = ({ name, value }: Metric) => {
    const route = name === 'CLS' || name === 'INP' ? (routeOf() ?? arrivedAt) : arrivedAt
    if (route) waiting.set(name, { name, value, route })
  }
  for (const measure of [onCLS, onFCP, onINP, onLCP, onTTFB]) measure(keep)

  addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden') return
    // the library's own handlers of the same event run after this one
    setTimeout(() => {
      if (waiting.size === 0) return
      const body = new Blob([JSON.stringify({ vitals: [...waiting.values()] })], { type: 'application/json' })
      waiting.clear()
      navigator.sendBeacon(sendVitals.line.slice('POST '.length), body)
    })
  })
}
