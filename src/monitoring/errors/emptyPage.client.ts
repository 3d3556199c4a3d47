// React draws nothing, and reports nothing, where a component answers undefined; and it empties the root after an error outside
// of every error boundary. The reader gets words and a next step instead of an empty page.

/** A page that is changing may be empty for a moment, in milliseconds. */
const MOMENT_MS = 500

export function watchEmptyPage(tell: (error: Error) => void) {
  const root = document.getElementById('root')!
  let note: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const place = () => document.getElementById('main') ?? root
  // a host of notifications may be all that is left
  const isShown = (one: Element) => one !== note && (one.textContent !== '' || one.querySelector('.skeleton') !== null)
  const isEmpty = () => ![...place().children].some(isShown)

  function look() {
    if (isEmpty() === (note !== undefined)) return
    if (note) {
      note.remove()
      note = undefined
    } else {
      note = writeNote()
      place().append(note)
      tell(new Error('Nothing was rendered on this page'))
    }
  }
  // direct children alone: changes deeper in the page cost nothing
  const observer = new MutationObserver(follow)
  function follow() {
    observer.disconnect()
    for (const one of new Set([root, place()])) observer.observe(one, { childList: true })
    clearTimeout(timer)
    timer = setTimeout(look, MOMENT_MS)
  }
  follow()
}

function writeNote(): HTMLElement {
  const make = (tag: string, className: string, ...inside: (string | HTMLElement)[]) => {
    const made = document.createElement(tag)
    made.className = className
    made.append(...inside)
    return made
  }
  const refresh = make('button', 'btn btn--primary', 'Refresh Page')
  refresh.addEventListener('click', () => location.reload())
  const home = make('a', 'btn btn--line', 'Home') as HTMLAnchorElement
  home.href = '/'
  const note = make(
    'div',
    'empty',
    make('h1', 'empty__title', 'Oops! Something went wrong'),
    make('p', '', 'We couldn’t show this page. Your cart and orders are safe.'),
    make('div', 'empty__action', refresh, home),
  )
  note.role = 'alert'
  return note
}
