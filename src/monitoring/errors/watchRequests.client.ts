/** Receives a request to the shop that got no answer (status 0) or a 5xx. */
type Hear = (request: { method: string; url: string; status: number }) => void

/** Reports of errors must not report themselves. */
const OWN = /^\/api\/(ai\/|errors$)/

/** Watches every request. Returns the function that stops it. */
export function watchRequests(hear: Hear): () => void {
  const plain = window.fetch
  const watched: typeof fetch = async (input, init) => {
    const tell = (status: number) => {
      const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' }
      const { origin, pathname, search } = new URL(url, location.href)
      const isOurs = origin === location.origin && !OWN.test(pathname)
      if (isOurs && navigator.onLine) hear({ method, url: pathname + search, status })
    }
    try {
      const response = await plain(input, init)
      if (response.status >= 500) tell(response.status)
      return response
    } catch (error) {
      if (!init?.signal?.aborted && (error as Error).name !== 'AbortError') tell(0)
      throw error
    }
  }
  window.fetch = watched
  return () => {
    // Another script may have wrapped ours.
    if (window.fetch === watched) window.fetch = plain
  }
}
