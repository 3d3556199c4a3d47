// Runs inline at the end of the landing page: the clock, the way back after signing in, the chat button's notice.
;(() => {
  const find = (name) => document.querySelector(`[data-${name}]`)
  const clock = find('clock')
  const tick = () => {
    clock.textContent = new Date().toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })
    setTimeout(tick, 60050 - (Date.now() % 60000))
  }
  tick()

  if (location.pathname !== '/')
    for (const link of document.links)
      if (link.pathname === '/api/login')
        link.search = `?returnTo=${encodeURIComponent(location.pathname + location.search)}`

  const chat = find('chat')
  const note = find('note')
  chat.onclick = () => {
    note.hidden = !note.hidden
    chat.setAttribute('aria-expanded', String(!note.hidden))
  }
  onkeydown = (event) => {
    if (event.key === 'Escape' && !note.hidden) chat.click()
  }
})()
