// Runs inline in the head of every page for visitors, before the first paint: the mode that this browser stores, or the system's.
;(() => {
  let mode
  try {
    mode = JSON.parse(localStorage.getItem('preferences')).mode
  } catch {
    // Storage is blocked, empty, or holds another value.
  }
  const isDark = mode ? mode === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  if (isDark) document.documentElement.dataset.mode = 'dark'
})()
