const KINDS = ['navigation', 'resource', 'longtask']

/** Hears of every performance entry that browsers tell of, the ones from before included. Answers how to stop. */
export function watchSlow(hear: (entry: PerformanceEntry) => void): () => void {
  const observers = KINDS.filter((type) => PerformanceObserver.supportedEntryTypes.includes(type)).map((type) => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(hear))
    observer.observe({ type, buffered: true })
    return observer
  })
  return () => observers.forEach((observer) => observer.disconnect())
}
