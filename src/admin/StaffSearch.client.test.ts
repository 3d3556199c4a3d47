import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../test/page.ts'

// the fake page does not support the options of a select
vi.mock('../ui/form/Select.tsx', () => ({ Select: () => null }))

type Handlers = { onSubmit: (event: object) => void; onChange: (event: object) => void }
let page: Awaited<ReturnType<typeof openPage>>
let drawn: { nodeName: string }[]

beforeEach(async () => {
  page = await openPage('/admin/members')
  drawn = []
  const { createElement } = page.document
  page.document.createElement = (name) => {
    const element = createElement(name)
    drawn.push(element)
    return element
  }
})
afterEach(() => page.close())

/** Returns the React event handlers of an element. */
function handlersOf(name: string): Handlers {
  const element = drawn.find(({ nodeName }) => nodeName === name)
  const properties: [string, unknown][] = Object.entries(element!)
  return properties.find(([key]) => key.startsWith('__reactProps'))![1] as Handlers
}

test('refetches the list when staff repeat the same search', async () => {
  const { Finder } = await import('./StaffSearch.tsx')
  const [refetch, onAsk] = [vi.fn<() => undefined>(), vi.fn<(asked: object) => void>()]
  const list = { refetch, isFetching: false, isReadingMore: false }
  const press = async () => {
    handlersOf('FORM').onSubmit({ preventDefault: () => undefined })
    await page.rest()
  }
  const texts = { label: 'Name', choiceLabel: 'Show', choices: [] }
  page.draw(Finder, { asked: { q: '', choice: 'all' }, onAsk, list, ...texts })
  await press()
  expect([refetch.mock.calls.length, onAsk.mock.calls]).toEqual([1, []])
  handlersOf('INPUT').onChange({ target: { value: ' ada ' } })
  await page.rest()
  await press()
  expect([refetch.mock.calls.length, onAsk.mock.calls]).toEqual([1, [[{ q: 'ada', choice: 'all' }]]])
})
