const KINDS = ['navigation', 'resource', 'longtask']

/** Receives every performance entry, including earlier ones. Returns the function that stops it. */
export function watchSlow(hear: (entry: PerformanceEntry) => void): () => void {
  const observers = KINDS.filter((type) => PerformanceObserver.supportedEntryTypes.includes(type)).map((type) => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(hear))
    observer.observe({ type, buffered: true })
    return observer
  })
  return () => observers.forEach((observer) => observer.disconnect())
}
