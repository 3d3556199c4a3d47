// Runs inline in the head of every page, before the first paint: applies the look that this device stores.
;(() => {
  const html = document.documentElement
  let kept
  try {
    kept = JSON.parse(localStorage.getItem('preferences'))
  } catch {
    // Storage is blocked or holds another value: keep the default look.
  }
  const { theme, mode, textSize, canZoom } = kept || {}
  if (['silver', 'purple'].includes(theme)) html.dataset.theme = theme
  if (mode === 'dark') html.dataset.mode = mode
  if (textSize > 100 && textSize <= 200) html.style.fontSize = `${textSize}%`
  if (canZoom) {
    html.dataset.zoom = ''
    document.querySelector('meta[name=viewport]').content = 'width=device-width, initial-scale=1, viewport-fit=cover'
  }
  // the server draws dates in this place's time; zone.client.ts reads the cookie, too
  const tellZone = () => {
    const year = new Date().getFullYear()
    const offsets = [new Date(), new Date(year, 0), new Date(year, 6)].map((date) => date.getTimezoneOffset()).join('~')
    const cookies = document.cookie.split('; ')
    if (cookies.some((cookie) => cookie.startsWith('zone=') && cookie.endsWith(`~${offsets}`))) return
    // the browser needs 20 ms or more to name its zone
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    document.cookie = `zone=${timeZone}~${offsets}; path=/; max-age=31536000; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
  }
  addEventListener('load', () => setTimeout(tellZone))
})()
