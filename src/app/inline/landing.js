// Runs inline at the end of the landing page: clock, return path after sign-in, chat for visitors.
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
      if (link.pathname === '/api/login' && !link.search.includes('returnTo'))
        link.search += `${link.search ? '&' : '?'}returnTo=${encodeURIComponent(location.pathname + location.search)}`

  const chat = find('chat')
  // the chat button hides while a control or a price is under it
  const under = new Set()
  let watch
  // the margins belong to one size of the window
  onresize = () => {
    watch?.disconnect()
    watch = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting } of seen) under[isIntersecting ? 'add' : 'delete'](target)
        chat.toggleAttribute('data-aside', under.size > 0)
      },
      { rootMargin: `${96 - innerHeight}px 0px 0px ${96 - innerWidth}px` },
    )
    // for a product, watch its texts only, because its link with the picture fills the width
    for (const one of document.querySelectorAll(
      'main :is(a, button, input):not(.look a), .look :is(b, .money), .landing__foot a',
    ))
      watch.observe(one)
  }
  onresize()

  const panel = find('panel')
  const status = find('status')
  const form = find('form')
  const input = form[0]
  const note = find('note')
  let timer
  const show = (isOpen) => {
    panel.hidden = !isOpen
    chat.setAttribute('aria-expanded', isOpen)
    if (!isOpen) return chat.focus()
    // On a phone the keyboard would cover the sheet.
    if (!matchMedia('(pointer: coarse)').matches) input.focus()
    fetch('/api/chat/status')
      .then((answer) => answer.json())
      .then(({ isOnline, text = '' }) => {
        const [dot] = status.children
        dot.hidden = false
        dot.classList.toggle('pulse--off', !isOnline)
        status.replaceChildren(dot, text)
      })
      .catch(() => {})
  }
  chat.onclick = () => show(panel.hidden)
  find('close').onclick = () => show(false)
  onkeydown = (event) => {
    if (event.key === 'Escape' && !panel.hidden) show(false)
  }
  form.onsubmit = (event) => {
    event.preventDefault()
    if (!input.value.trim()) return
    note.hidden = false
    clearTimeout(timer)
    timer = setTimeout(() => {
      note.hidden = true
    }, 5000)
  }
})()
