import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type State = { dialogs?: number; shown?: number } | null

/** Simulates the history of a tab, with asynchronous steps. The first `elsewhere` entries belong to another site. */
function openTab(entries: State[], elsewhere = 0) {
  let at = entries.length - 1
  let come = () => {}
  const go = (steps: number) =>
    setTimeout(() => {
      at += steps
      come()
    })
  vi.stubGlobal('addEventListener', (_: 'popstate', listener: () => void) => (come = listener))
  vi.stubGlobal('history', {
    get state() {
      return entries[at]
    },
    pushState: (state: State) => entries.splice(++at, entries.length, state),
    replaceState: (state: State) => (entries[at] = state),
    go,
  })
  // a page sees only the entries of its own site
  const navigation = {
    get currentEntry() {
      return { index: at - elsewhere }
    },
  }
  vi.stubGlobal('window', { navigation })
  return {
    go,
    where: () => `${at + 1} of ${entries.length}`,
    state: () => entries[at],
    goOn: () => entries.splice(at, entries.length, null),
  }
}

/** Opens and closes dialogs by name, as a page would. */
async function openPage() {
  vi.resetModules()
  const { enterDialog } = await import('./backEntries.client.ts')
  const shown: string[] = []
  const show = (name: string) => {
    const close = () => {
      if (!shown.includes(name)) return
      shown.splice(shown.indexOf(name), 1)
      leave()
    }
    const leave = enterDialog(close)
    shown.push(name)
    return close
  }
  return { shown, show }
}
const rest = () => vi.runAllTimersAsync()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('Back closes the newest dialog, then the one under it, then leaves the page', async () => {
  const tab = openTab([null, { shown: 48 }])
  const { shown, show } = await openPage()
  show('list')
  await rest()
  show('question')
  await rest()
  expect([tab.where(), tab.state()]).toEqual(['4 of 4', { shown: 48, dialogs: 2 }])
  tab.go(-1)
  await rest()
  expect(shown).toEqual(['list'])
  tab.go(-1)
  await rest()
  expect([shown, tab.where()]).toEqual([[], '2 of 4'])
})

test('does not go back to another site if the entry of a dialog is missing', async () => {
  const tab = openTab([null, { dialogs: 1 }], 1)
  const { shown, show } = await openPage()
  await rest()
  expect([tab.where(), tab.state()]).toEqual(['2 of 2', { dialogs: 0 }])
  show('chat')
  await rest()
  expect([shown, tab.where(), tab.state()]).toEqual([['chat'], '3 of 3', { dialogs: 1 }])
})

test('closing a dialog by its button removes its history entry', async () => {
  const tab = openTab([null])
  const { show } = await openPage()
  const [closeList, closeQuestion] = [show('list'), show('question')]
  await rest()
  closeQuestion()
  closeList()
  await rest()
  expect(tab.where()).toBe('1 of 3')
})

test('a dialog that replaces another stays open, even while the first one is closing', async () => {
  const tab = openTab([null])
  const { shown, show } = await openPage()
  const closeFirst = show('first')
  await rest()
  closeFirst()
  const closeSecond = show('second')
  await rest()
  expect([shown, tab.where()]).toEqual([['second'], '2 of 2'])
  closeSecond()
  await Promise.resolve()
  show('third')
  await rest()
  expect([shown, tab.where()]).toEqual([['third'], '2 of 2'])
})

test('Back and Forward skip the entry of a dialog that a reload closed', async () => {
  const tab = openTab([null, null, { dialogs: 1 }, { dialogs: 2 }])
  await openPage()
  await rest()
  expect(tab.where()).toBe('2 of 4')
  tab.go(1)
  await rest()
  expect(tab.where()).toBe('2 of 4')
})

test('a link in a dialog leads to a page that stays open', async () => {
  const tab = openTab([null])
  const { show } = await openPage()
  const close = show('list')
  await rest()
  tab.goOn()
  close()
  await rest()
  expect([tab.where(), tab.state()]).toEqual(['2 of 2', null])
})
