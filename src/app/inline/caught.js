// Runs inline in the head of the app, until its scripts have loaded.
;(() => {
  // collects errors for the monitor
  const caught = (window.caught = [])
  for (const kind of ['error', 'unhandledrejection'])
    addEventListener(
      kind,
      (event) => (window.caught !== caught || caught.length < 50) && window.caught.push(event),
      true,
    )

  // Keeps input until the page answers, and then repeats it: values, then presses in their order. Payment buttons are
  // disabled until then. An old press is dropped, because the member may have gone on.
  const OLD = 3000
  const PATIENCE = 15000
  const values = new Map()
  let presses = []
  let note
  const nameOf = (control) => control.getAttribute('aria-label') || control.name || control.textContent
  const keepOf = (control) => ({ control, tag: control.tagName, name: nameOf(control), at: Date.now() })
  // React may have replaced the control: then the only control with this name
  const find = ({ control, tag, name }) => {
    if (control.isConnected) return control
    const same = [...document.querySelectorAll(tag)].filter((other) => nameOf(other) === name)
    return same.length === 1 ? same[0] : undefined
  }

  const press = (event) => {
    const control = event.target.closest?.('button, summary')
    if (!control) return
    event.preventDefault()
    event.stopPropagation()
    if (control.ariaBusy === 'true') return
    control.ariaBusy = 'true'
    presses.push(keepOf(control))
  }
  const type = ({ target }) =>
    target.matches?.('input, select, textarea') &&
    values.set(target, { ...keepOf(target), value: target.value, isOn: target.checked })
  const write = (kept, value, isOn) => {
    const control = find(kept)
    if (!control) return
    if (/checkbox|radio/.test(control.type)) return control.checked === isOn || control.click()
    // React overrides the setter of the element itself
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value').set.call(control, value)
    for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, { bubbles: true }))
  }
  // React hears only of a value that differs from the one it found: first another one, then the kept one
  const repeat = (kept) => [
    () => kept.tag === 'SELECT' || write(kept, '', !kept.isOn),
    () => write(kept, kept.value, kept.isOn),
  ]
  const release = () => {
    clearTimeout(timer)
    removeEventListener('click', press, true)
    for (const kind of ['input', 'change']) removeEventListener(kind, type, true)
    for (const { control } of presses) control.ariaBusy = null
  }
  const giveUp = () => {
    release()
    presses = []
    if (note) return
    note = document.createElement('p')
    note.className = 'stuck'
    note.role = 'alert'
    const reload = document.createElement('button')
    reload.className = 'btn btn--primary'
    reload.textContent = 'Reload'
    reload.onclick = () => location.reload()
    note.append('This page didn’t load completely.', reload)
    document.body.append(note)
  }
  addEventListener('click', press, true)
  for (const kind of ['input', 'change']) addEventListener(kind, type, true)
  const fail = ({ target }) => target.tagName === 'SCRIPT' && giveUp()
  addEventListener('error', fail, true)
  const timer = setTimeout(giveUp, PATIENCE)

  window.takeOver = () => {
    removeEventListener('error', fail, true)
    release()
    note?.remove()
    const recent = presses.filter(({ at }) => Date.now() - at < OLD)
    const steps = [...[...values.values()].flatMap(repeat), ...recent.map((kept) => () => find(kept)?.click())]
    // each step sees what the step before it changed
    const next = () => {
      steps.shift()?.()
      if (steps.length > 0) setTimeout(next)
    }
    next()
    presses = []
    values.clear()
  }
})()
