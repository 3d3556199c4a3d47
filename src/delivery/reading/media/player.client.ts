import { createStore } from '../../../kit/store.client.ts'
import { deviceStorage } from '../../../kit/storage.client.ts'
import { keepPlaceOf, type KeptPlace } from '../keptPlace.client.ts'
import { SPEEDS } from '../media.rules.ts'
import type { ReadFile } from '../reading.contract.ts'
import { findAddress } from '../source.client.ts'

export type Track = {
  lineId: string
  file: ReadFile
  title: string
  /** The seller, or the course of a lesson. */
  about: string
  product: { id: string; title: string; categoryId: string; imageUrl: string | null }
  /** The page of the track. */
  href: string
}

export type PlayerState = {
  seconds: number
  /** 0 until it is known. */
  length: number
  isPlaying: boolean
  isWaiting: boolean
  failure: unknown
  speed: number
}

const SPEED_KEY = 'player-speed'
const readSpeed = () => SPEEDS.find((speed) => String(speed) === deviceStorage.read(SPEED_KEY)) ?? 1

/** Playback that stops so many seconds before the end counts as finished. */
const END_SECONDS = 2

export const isVideo = ({ file }: Track): boolean => file.contentType.startsWith('video/')

/** Stores where the listener stopped, from the first change on. */
function openPlace({ lineId, file }: Track) {
  let kept: KeptPlace | null = null
  return {
    note(seconds: number, length: number) {
      if (!Number.isFinite(length) || length <= 0) return
      kept ??= keepPlaceOf(lineId, file.id)
      kept.note(seconds.toFixed(1), seconds > length - END_SECONDS ? 1 : seconds / length)
    },
    send: () => kept?.send(),
    close() {
      kept?.stop()
      kept = null
    },
  }
}

const loadUrl = (element: HTMLMediaElement, url: string) =>
  new Promise<void>((resolve, reject) => {
    element.addEventListener('loadedmetadata', () => resolve(), { once: true })
    element.addEventListener('error', () => reject(element.error), { once: true })
    element.src = url
    element.load()
  })

export type Player = ReturnType<typeof openPlayer>

/** Opens a player with an element of its own, which plays on when its page is left. `onPlay` runs before each start. */
export function openPlayer(track: Track, onPlay: () => void) {
  const { lineId, file } = track
  const element: HTMLMediaElement = document.createElement(isVideo(track) ? 'video' : 'audio')
  element.preload = 'none'
  element.className = 'player__video'
  element.setAttribute('playsinline', '')
  const stopped = file.share > 0.995 ? 0 : Number(file.place ?? 0) || 0
  const state = createStore<PlayerState>({
    ...{ seconds: stopped, length: file.share > 0 && stopped > 0 ? stopped / file.share : 0 },
    ...{ isPlaying: false, isWaiting: false, failure: null, speed: readSpeed() },
  })
  const put = (change: Partial<PlayerState>) => state.set({ ...state.read(), ...change })
  const place = openPlace(track)
  let at = stopped
  let loading: Promise<void> | null = null
  let isLoaded = false
  let isClosed = false
  /** Grants last an hour. If the server refuses a request in the middle, the player requests one new grant. */
  let renewals = 0

  async function begin() {
    const url = await findAddress(lineId, file.id, file.contentType)
    if (isClosed) return
    await loadUrl(element, url)
    element.currentTime = at
    element.playbackRate = state.read().speed
    isLoaded = true
    renewals = 0
  }
  const load = (): Promise<void> =>
    (loading ??= begin().catch((error: unknown) => {
      loading = null
      throw error
    }))

  async function play() {
    onPlay()
    put({ isWaiting: true, failure: null })
    try {
      await load()
      if (!isClosed) await element.play()
    } catch (failure) {
      // browsers abort playback when the player is closed meanwhile
      const isAborted = failure instanceof DOMException && failure.name === 'AbortError'
      put({ isWaiting: false, isPlaying: false, ...(!isAborted && { failure }) })
    }
  }
  const pause = () => element.pause()
  function seek(seconds: number) {
    const { length } = state.read()
    at = Math.max(0, length > 0 ? Math.min(seconds, length - 0.1) : seconds)
    put({ seconds: at })
    if (element.readyState > 0) element.currentTime = at
    note(at)
  }
  const note = (seconds: number) => place.note(seconds, element.duration || state.read().length)
  function choose(speed: number) {
    put({ speed })
    deviceStorage.write(SPEED_KEY, String(speed))
    element.playbackRate = speed
  }
  function close() {
    isClosed = true
    element.pause()
    place.close()
    if (element.src.startsWith('blob:')) URL.revokeObjectURL(element.src)
    element.removeAttribute('src')
    element.load()
    element.remove()
  }

  const on = (type: keyof HTMLMediaElementEventMap, run: () => void) => element.addEventListener(type, run)
  on('timeupdate', () => {
    const { currentTime, readyState } = element
    // a file reports 0 while it loads
    if (readyState === 0 || (currentTime === 0 && at > 0)) return
    at = currentTime
    put({ seconds: currentTime })
    note(currentTime)
  })
  on('durationchange', () => {
    if (Number.isFinite(element.duration)) put({ length: element.duration })
  })
  on('playing', () => put({ isPlaying: true, isWaiting: false }))
  on('waiting', () => put({ isWaiting: true }))
  on('pause', () => {
    put({ isPlaying: false, isWaiting: false })
    place.send()
  })
  on('error', () => {
    // while it loads, `play` reports the failure
    if (!isLoaded || isClosed) return
    isLoaded = false
    loading = null
    if (renewals++ === 0) void play()
    else put({ isPlaying: false, isWaiting: false, failure: element.error })
  })
  return { track, element, state, play, pause, seek, choose, close }
}
