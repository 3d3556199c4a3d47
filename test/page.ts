import { type ComponentType, createElement } from 'react'
import { vi } from 'vitest'

// stored now, because a test may replace setTimeout
const realTimeout = setTimeout

// A minimal DOM in which React renders without a browser. It shows the content and the order of renders, but not the
// layout.

type Drawn = { nodeName: string; children: Drawn[]; textContent: string }
const namesIn = ({ children }: Drawn): string[] => children.flatMap((child) => [child.nodeName, ...namesIn(child)])

function node(nodeType: number, nodeName: string, ownerDocument: object | null, nodeValue = '') {
  const children: Drawn[] = []
  const none = () => {}
  let own = ''
  return {
    ...{ nodeType, nodeName, tagName: nodeName, ownerDocument, nodeValue, children, style: {} },
    namespaceURI: 'http://www.w3.org/1999/xhtml',
    get textContent(): string {
      return this.nodeValue + own + children.map((child) => child.textContent).join('')
    },
    set textContent(text: string) {
      children.length = 0
      own = text
    },
    ...{ setAttribute: none, removeAttribute: none, addEventListener: none, removeEventListener: none },
    appendChild: (child: Drawn) => void children.push(child),
    insertBefore: (child: Drawn, before: Drawn) => void children.splice(children.indexOf(before), 0, child),
    removeChild: (child: Drawn) => void children.splice(children.indexOf(child), 1),
  }
}

/** Opens a page at `path` with stubbed globals and newly loaded modules of the shop. Only `frame` runs frames. */
export async function openPage(path = '/') {
  const document = Object.assign(node(9, '#document', null), {
    createElement: (name: string) => node(1, name.toUpperCase(), document),
    createTextNode: (text: string) => node(3, '#text', document, text),
  })
  const events = new EventTarget()
  const frames: (() => void)[] = []
  const kept = new Map<string, string>()
  const page = {
    document,
    location: { pathname: path, search: '', href: `http://shop.test${path}` },
    history: { scrollRestoration: 'auto', state: null, pushState() {}, replaceState() {} },
    navigation: { currentEntry: { key: path } } as { currentEntry: { key: string } } | undefined,
    sessionStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) },
    scrollY: 0,
    scrollTo: vi.fn<(x: number, y: number) => void>(),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    requestAnimationFrame: (run: () => void) => frames.push(run),
    cancelAnimationFrame: () => {},
    HTMLIFrameElement: class {},
    window: globalThis,
  }
  for (const [name, value] of Object.entries(page)) vi.stubGlobal(name, value)
  vi.resetModules()
  const { createRoot } = await import('react-dom/client')
  const { flushSync } = await import('react-dom')
  const body = node(1, 'DIV', document)
  const root = createRoot(body as never)
  /** Waits until React has rendered everything that it can. */
  const rest = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((done) => realTimeout(done))
  }
  return {
    ...page,
    rest,
    /** Renders the first output of React synchronously; later output follows by itself. */
    draw: <P extends object>(Part: ComponentType<P>, given: P) =>
      flushSync(() => root.render(createElement(Part, given))),
    text: () => body.textContent,
    names: () => namesIn(body),
    frame: () => frames.splice(0).forEach((run) => run()),
    async close() {
      flushSync(() => root.unmount())
      await rest()
      vi.unstubAllGlobals()
    },
  }
}
