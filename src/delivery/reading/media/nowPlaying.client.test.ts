import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nowPlaying, showPlayer, stopPlaying, takePlayer } from './nowPlaying.client.ts'
import type { Track } from './player.client.ts'

const { findAddress, places } = vi.hoisted(() => ({
  findAddress: vi.fn<(lineId: string, fileId: string) => Promise<string>>(),
  places: [] as string[],
}))
vi.mock('../source.client.ts', () => ({ findAddress }))
vi.mock('../keptPlace.client.ts', () => ({
  keepPlaceOf: (_: string, fileId: string) => ({
    note: (place: string) => void places.push(`${fileId} at ${place}`),
    send: () => undefined,
    stop: () => void places.push(`${fileId} closed`),
  }),
}))

/** An audio or video element that plays nothing. */
class FakeMedia extends EventTarget {
  src = ''
  currentTime = 0
  playbackRate = 1
  duration = 60
  readyState = 0
  paused = true
  isConnected = false
  error: { code: number } | null = null
  muted = false
  load() {
    if (this.src === '') return
    this.readyState = 1
    for (const type of ['durationchange', 'loadedmetadata']) queueMicrotask(() => this.dispatchEvent(new Event(type)))
  }
  async play() {
    this.paused = false
    this.dispatchEvent(new Event('playing'))
  }
  pause() {
    if (this.paused) return
    this.paused = true
    this.dispatchEvent(new Event('pause'))
  }
  setAttribute() {}
  removeAttribute() {
    this.src = ''
  }
  remove() {
    this.isConnected = false
  }
}

const elements: FakeMedia[] = []
const handlers = new Map<string, ((details: object) => void) | null>()
const session = {
  metadata: null as { title: string; artist: string; artwork: { src: string }[] } | null,
  playbackState: 'none',
  position: {} as object,
  setPositionState: (position: object) => void (session.position = position),
  setActionHandler(action: string, handler: ((details: object) => void) | null) {
    if (action === 'skipad') throw new TypeError('unknown action')
    handlers.set(action, handler)
  },
}

beforeEach(() => {
  places.length = 0
  handlers.clear()
  findAddress.mockReset().mockImplementation(async (_, fileId) => `/downloads/${fileId}`)
  elements.length = 0
  const document = Object.assign(new EventTarget(), {
    createElement() {
      const element = new FakeMedia()
      elements.push(element)
      return element
    },
    body: { append: (element: FakeMedia) => void (element.isConnected = true) },
    querySelectorAll: () => elements,
  })
  vi.stubGlobal('document', document)
  vi.stubGlobal('navigator', { mediaSession: session })
  vi.stubGlobal(
    'MediaMetadata',
    class {
      constructor(fields: object) {
        Object.assign(this, fields)
      }
    },
  )
})
afterEach(() => {
  stopPlaying()
  vi.unstubAllGlobals()
})

const trackOf = (id: string, change: Partial<Track['file']> = {}): Track => ({
  lineId: 'line',
  file: {
    ...{ id, fileName: `${id}.mp3`, contentType: 'audio/mpeg', sizeBytes: 1 },
    ...{ chapters: '', place: null, share: 0, ...change },
  },
  title: `Title of ${id}`,
  about: 'Sally S.',
  product: { id: 'product', title: `Title of ${id}`, categoryId: 'audio', imageUrl: null },
  href: `/read/line?file=${id}`,
})

test('a sound that plays goes on when its page is left, and its page finds it again', async () => {
  const player = takePlayer(trackOf('a'))
  const leave = showPlayer(player)
  await player.play()
  leave()
  expect(player.state.read().isPlaying).toBe(true)
  expect(player.element.isConnected).toBe(true)
  expect(nowPlaying.read()).toBe(player)
  expect(takePlayer(trackOf('a'))).toBe(player)
  expect(takePlayer(trackOf('b'))).not.toBe(player)
})

test('a sound that is paused ends when its page is left, and its place is stored', async () => {
  const player = takePlayer(trackOf('a'))
  const leave = showPlayer(player)
  await player.play()
  player.pause()
  player.seek(12)
  leave()
  expect(nowPlaying.read()).toBeNull()
  expect(player.element.isConnected).toBe(false)
  expect(places).toEqual(['a at 12.0', 'a closed'])
})

test('a seller’s own file plays from its address, and no place is stored', async () => {
  const player = takePlayer({ ...trackOf('a'), url: '/own/a' })
  const leave = showPlayer(player)
  await player.play()
  expect(player.element.src).toBe('/own/a')
  expect(findAddress).not.toHaveBeenCalled()
  player.seek(12)
  player.pause()
  leave()
  expect(places).toEqual([])
})

test('a second sound and a film stop the sound that plays', async () => {
  const [first, second, film] = [
    takePlayer(trackOf('a')),
    takePlayer(trackOf('b')),
    takePlayer(trackOf('c', { contentType: 'video/mp4' })),
  ]
  showPlayer(first)()
  await first.play()
  await second.play()
  expect(nowPlaying.read()).toBe(second)
  expect(first.element.paused).toBe(true)
  await film.play()
  expect(nowPlaying.read()).toBeNull()
  expect(second.element.paused).toBe(true)
  expect(film.state.read().isPlaying).toBe(true)
})

test('the lock screen shows title, chapter and position, and its keys control the player', async () => {
  const player = takePlayer(trackOf('a', { chapters: '0:00 First drops\n0:30 Steady' }))
  await player.play()
  expect(session.metadata).toMatchObject({ title: 'First drops', artist: 'Sally S.' })
  expect(session.metadata?.artwork[0]?.src).toBe('/icons/512.png')
  expect(session.playbackState).toBe('playing')
  expect(session.position).toEqual({ duration: 60, position: 0, playbackRate: 1 })

  handlers.get('nexttrack')?.({})
  expect(player.state.read().seconds).toBe(30)
  expect(session.metadata?.title).toBe('Steady')
  handlers.get('seekforward')?.({})
  handlers.get('seekbackward')?.({ seekOffset: 5 })
  expect(player.state.read().seconds).toBe(40)
  handlers.get('seekto')?.({ seekTime: 7 })
  expect(player.element.currentTime).toBe(7)
  handlers.get('previoustrack')?.({})
  expect(player.state.read().seconds).toBe(0)
  handlers.get('pause')?.({})
  expect(player.element.paused).toBe(true)
  expect(session.playbackState).toBe('paused')
  handlers.get('play')?.({})
  await vi.waitFor(() => expect(player.element.paused).toBe(false))

  stopPlaying()
  expect(session.metadata).toBeNull()
  expect([...handlers.values()].every((handler) => handler === null)).toBe(true)
})

test('a failed start is reported, and the next one can succeed', async () => {
  const player = takePlayer(trackOf('a', { place: '20.0', share: 0.5 }))
  expect(player.state.read()).toMatchObject({ seconds: 20, length: 40 })
  findAddress.mockRejectedValueOnce(new Error('refused'))
  await player.play()
  expect(player.state.read()).toMatchObject({ isPlaying: false, failure: new Error('refused') })
  await player.play()
  expect(player.state.read()).toMatchObject({ isPlaying: true, failure: null })
  expect(player.element.currentTime).toBe(20)
})

test('a grant that expires while the sound plays is renewed once', async () => {
  const player = takePlayer(trackOf('a'))
  await player.play()
  player.element.currentTime = 33
  player.element.dispatchEvent(new Event('timeupdate'))
  player.element.dispatchEvent(new Event('error'))
  await vi.waitFor(() => expect(findAddress).toHaveBeenCalledTimes(2))
  await vi.waitFor(() => expect(player.state.read().isPlaying).toBe(true))
  expect(player.element.currentTime).toBe(33)
})

test('a page can play its sound again after the lock screen stopped it', async () => {
  const player = takePlayer(trackOf('a'))
  const leave = showPlayer(player)
  await player.play()
  handlers.get('stop')?.({})
  expect(nowPlaying.read()).toBeNull()
  expect(player.state.read()).toMatchObject({ isPlaying: false, isWaiting: false })
  await player.play()
  expect(player.state.read()).toMatchObject({ isPlaying: true, isWaiting: false })
  expect(findAddress).toHaveBeenCalledTimes(2)
  player.pause()
  leave()
  expect(player.element.isConnected).toBe(false)
})

test('a sound that is stopped while it loads does not start', async () => {
  const player = takePlayer(trackOf('a'))
  showPlayer(player)
  const playing = player.play()
  stopPlaying()
  await playing
  expect(player.state.read()).toMatchObject({ isPlaying: false, isWaiting: false, failure: null })
  expect(player.element.src).toBe('')
})

test('a file that fails twice at one place is damaged, and so is one that cannot be decoded', async () => {
  const player = takePlayer(trackOf('a'))
  const fail = (code: number, second: number) => {
    player.element.currentTime = second
    player.element.dispatchEvent(new Event('timeupdate'))
    Object.assign(player.element, { error: { code } })
    player.element.dispatchEvent(new Event('error'))
  }
  await player.play()
  fail(2, 33)
  await vi.waitFor(() => expect(findAddress).toHaveBeenCalledTimes(2))
  await vi.waitFor(() => expect(player.state.read().isWaiting).toBe(false))
  fail(2, 34)
  expect(player.state.read()).toMatchObject({ isPlaying: false, isWaiting: false, failure: { code: 2 } })
  await player.play()
  fail(3, 50)
  expect(player.state.read()).toMatchObject({ isPlaying: false, isWaiting: false, failure: { code: 3 } })
  expect(findAddress).toHaveBeenCalledTimes(3)
})

test('the URL of a stored file is revoked when the file loads again or its player closes', async () => {
  const open = new Set<string>()
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void open.delete(url))
  findAddress.mockImplementation(async () => {
    const url = `blob:${findAddress.mock.calls.length}`
    open.add(url)
    return url
  })
  const player = takePlayer(trackOf('a'))
  await player.play()
  player.element.dispatchEvent(new Event('error'))
  await vi.waitFor(() => expect(player.element.src).toBe('blob:2'))
  await vi.waitFor(() => expect(player.state.read().isPlaying).toBe(true))
  expect([...open]).toEqual(['blob:2'])
  stopPlaying()
  expect(open.size).toBe(0)
  const late = takePlayer(trackOf('b'))
  const playing = late.play()
  stopPlaying()
  await playing
  await vi.waitFor(() => expect(findAddress).toHaveBeenCalledTimes(3))
  expect(open.size).toBe(0)
})

test('a sample stops the sound that plays, and the sound stops the sample', async () => {
  const player = takePlayer(trackOf('a'))
  await player.play()
  const sample = new FakeMedia()
  elements.push(sample)
  const start = async (element: EventTarget & { play: () => Promise<void> }) => {
    await element.play()
    const event = new Event('play')
    Object.defineProperty(event, 'target', { value: element })
    document.dispatchEvent(event)
  }
  sample.muted = true
  await start(sample)
  expect(player.element.paused).toBe(false)
  sample.muted = false
  await start(sample)
  expect(player.element.paused).toBe(true)
  await start(player.element)
  expect(sample.paused).toBe(true)
})
