// Runs inline in the head of every page, before anything is drawn: the look that this device keeps.
;(() => {
  const html = document.documentElement
  let kept
  try {
    kept = JSON.parse(localStorage.getItem('preferences'))
  } catch {
    // storage is closed or holds something else: the standard look
  }
  const { theme, mode, textSize, canZoom } = kept || {}
  if (['silver', 'purple'].includes(theme)) html.dataset.theme = theme
  if (mode === 'dark') html.dataset.mode = mode
  if (textSize > 100 && textSize <= 200) html.style.fontSize = `${textSize}%`
  if (canZoom) {
    html.dataset.zoom = ''
    document.querySelector('meta[name=viewport]').content = 'width=device-width, initial-scale=1, viewport-fit=cover'
  }
})()
