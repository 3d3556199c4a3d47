// React renders nothing and reports nothing when a component returns undefined, and clears the root after an uncaught
// error. This shows a message and a next step instead of an empty page.

/** Milliseconds for which a page may be empty while it changes. */
const MOMENT_MS = 500

export function watchEmptyPage(tell: (error: Error) => void) {
  const root = document.getElementById('root')!
  let note: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const place = () => document.getElementById('main') ?? root
  // the notification host may be the only child left
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
  // direct children only, so that changes deeper in the page cost nothing
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
