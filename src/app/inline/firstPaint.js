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
  // the server draws dates in this place's time
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const cookie = `zone=${timeZone}`
  if (!document.cookie.split('; ').includes(cookie))
    document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
  if (canZoom) {
    html.dataset.zoom = ''
    document.querySelector('meta[name=viewport]').content = 'width=device-width, initial-scale=1, viewport-fit=cover'
  }
})()
