import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFocus } from './keepFocus.client.ts'

// A minimal document for tests of the focus. The name of an element is the only selector that matches it.

class Part {
  parent: Part | undefined
  readonly name: string
  readonly children: Part[] = []
  constructor(name: string, ...children: Part[]) {
    this.name = name
    for (const child of children) this.append(child)
  }
  append(child: Part) {
    child.parent = this
    this.children.push(child)
  }
  get isConnected(): boolean {
    return this === body || this.parent?.isConnected === true
  }
  get all(): Part[] {
    return this.children.flatMap((child) => [child, ...child.all])
  }
  matches = (selector: string) => selector.split(', ').includes(this.name)
  closest = (selector: string): Part | undefined => (this.matches(selector) ? this : this.parent?.closest(selector))
  contains = (other: Part) => other === this || this.all.includes(other)
  querySelectorAll = (selector: string) => this.all.filter((part) => part.matches(selector))
  querySelector = (selector: string) => this.querySelectorAll(selector)[0] ?? null
  focus = () => focusOn(this)
}

const link = () => new Part('a[href]')
const button = () => new Part('button')
const row = (...controls: Part[]) => new Part('li', ...controls)
const heading = new Part('h1')

let body: Part
let focused: Part
let tell: Record<string, (event: { target: Part }) => void>
let notifyRemoved: (records: object[]) => void
let stop: () => void

function focusOn(part: Part) {
  focused = part
  if (part !== body) tell.focusin!({ target: part })
}

function remove(gone: Part) {
  const target = gone.parent!
  const at = target.children.indexOf(gone)
  const [previousSibling, nextSibling] = [target.children[at - 1] ?? null, target.children[at + 1] ?? null]
  target.children.splice(at, 1)
  gone.parent = undefined
  if (gone.contains(focused)) focusOn(body)
  notifyRemoved([{ removedNodes: [gone], target, previousSibling, nextSibling }])
}

/** Renders rows below the heading of a page. */
const open = (...rows: Part[]) => openPage(new Part('ul', ...rows))

function openPage(...parts: Part[]) {
  body = new Part('body', new Part('#main', heading, ...parts))
  focused = body
  stop = keepFocus()
}

beforeEach(() => {
  vi.useFakeTimers()
  tell = {}
  vi.stubGlobal('Element', Part)
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16))
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(look: (records: object[]) => void) {
        notifyRemoved = look
      }
      observe = () => {}
      disconnect = () => {}
    },
  )
  vi.stubGlobal('document', {
    get activeElement() {
      return focused
    },
    get body() {
      return body
    },
    addEventListener: (name: string, listener: (typeof tell)[string]) => (tell[name] = listener),
    removeEventListener: (name: string) => delete tell[name],
    querySelector: (selector: string) => body.querySelector(selector.replace('#main ', '')),
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ['the next row has a control less at its start', [link(), button(), button()], [link(), button()]],
  ['the next row has a control more at its start', [link(), button()], [link(), button(), button()]],
])('the focus moves to the last control when %s', async (_, first, second) => {
  const [gone, next] = [row(...first), row(...second)]
  open(gone, next)
  first.at(-1)!.focus()
  remove(gone)
  await vi.runAllTimersAsync()
  expect(second.indexOf(focused)).toBe(second.length - 1)
})

test('removing the last row focuses the row before; removing the only row focuses the heading', async () => {
  const [first, last] = [row(button()), row(button())]
  open(first, last)
  last.children[0]!.focus()
  remove(last)
  await vi.runAllTimersAsync()
  expect(focused).toBe(first.children[0])
  remove(first)
  await vi.runAllTimersAsync()
  expect(focused).toBe(heading)
})

test.each([
  ['the title of its section', 'h2[tabindex]'],
  ['the heading of the page, if no title of its section can have the focus', 'h2'],
])('removing a control outside rows focuses %s', async (_, name) => {
  const [title, gone] = [new Part(name), button()]
  openPage(new Part('section', new Part('div', title, gone)))
  gone.focus()
  remove(gone)
  await vi.runAllTimersAsync()
  expect(focused).toBe(name === 'h2' ? heading : title)
})

test('after a press outside all controls, removing a row does not move the focus', async () => {
  const [gone, next] = [row(button()), row(button())]
  open(gone, next)
  gone.children[0]!.focus()
  focusOn(body)
  tell.pointerup!({ target: body })
  await vi.runAllTimersAsync()
  remove(gone)
  await vi.runAllTimersAsync()
  expect(focused).toBe(body)
})

test('removing a control that lost the focus without a press moves the focus to the next row', async () => {
  const [gone, next] = [row(button()), row(button())]
  open(gone, next)
  gone.children[0]!.focus()
  // a hidden control loses the focus without a press outside it
  focusOn(body)
  await vi.runAllTimersAsync()
  remove(gone)
  await vi.runAllTimersAsync()
  expect(focused).toBe(next.children[0])
})
