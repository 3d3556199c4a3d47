const WAIT_MS = 15_000

/** Reads the length of a recording or film from its first bytes. Undefined if the browser cannot determine it. */
export const readSeconds = (url: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const media = document.createElement('video')
    const end = () => {
      clearTimeout(timer)
      const { duration } = media
      media.removeAttribute('src')
      media.load()
      resolve(Number.isFinite(duration) && duration > 0 ? Math.max(1, Math.round(duration)) : undefined)
    }
    const timer = setTimeout(end, WAIT_MS)
    media.addEventListener('loadedmetadata', end, { once: true })
    media.addEventListener('error', end, { once: true })
    media.preload = 'metadata'
    media.src = url
  })
