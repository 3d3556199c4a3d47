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
  // keeps the last press of a drawn button, and makes it when the page answers
  let pressed
  const keep = (event) => {
    const control = event.target.closest?.('button, summary')
    if (!control) return
    event.preventDefault()
    event.stopPropagation()
    pressed = control
  }
  addEventListener('click', keep, true)
  window.takeOver = () => {
    removeEventListener('click', keep, true)
    pressed?.click()
    pressed = undefined
  }
})()
