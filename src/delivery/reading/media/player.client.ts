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
  /** Address of the file for a seller, who has no place in it. Default: the file of the order line `lineId`. */
  url?: string
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

/** A second error so close to the first one is a fault of the file, not of the grant. */
const RENEWAL_SECONDS = 5
/** `MediaError.MEDIA_ERR_DECODE` */
const DECODE_ERROR = 3

export const isVideo = ({ file }: Track): boolean => file.contentType.startsWith('video/')

/** Stores the place of the listener. Opens the store at the first change. */
function openPlace({ lineId, file, url }: Track) {
  let kept: KeptPlace | null = null
  return {
    note(seconds: number, length: number) {
      if (url !== undefined || !Number.isFinite(length) || length <= 0) return
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

/** A URL of a stored file holds the file in memory until it is revoked. */
function revoke(url: string) {
  if (url.startsWith('blob:')) URL.revokeObjectURL(url)
}

const loadUrl = (element: HTMLMediaElement, url: string) =>
  new Promise<void>((resolve, reject) => {
    element.addEventListener('loadedmetadata', () => resolve(), { once: true })
    element.addEventListener('error', () => reject(element.error), { once: true })
    element.src = url
    element.load()
  })

export type Player = ReturnType<typeof openPlayer>

/** Opens a player with a separate element, which plays on after the page is left. `onPlay` runs before each start. */
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
  /** Increases when the player empties the element. An earlier load then ends. */
  let loads = 0
  /** Second of the last error in the middle. */
  let failedAt: number | null = null

  async function begin() {
    const own = loads
    const url = track.url ?? (await findAddress(lineId, file.id, file.contentType))
    if (own !== loads) return revoke(url)
    revoke(element.src)
    await loadUrl(element, url)
    element.currentTime = at
    element.playbackRate = state.read().speed
    isLoaded = true
  }
  const load = (): Promise<void> =>
    (loading ??= begin().catch((error: unknown) => {
      loading = null
      throw error
    }))

  async function play() {
    onPlay()
    put({ isWaiting: true, failure: null })
    const own = loads
    try {
      await load()
      if (own === loads) await element.play()
    } catch (failure) {
      if (own !== loads) return
      // browsers abort playback when the player is paused meanwhile
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
  /** Stops and forgets the file. `play` loads it again. */
  function empty() {
    loads++
    loading = null
    isLoaded = false
    element.pause()
    revoke(element.src)
    element.removeAttribute('src')
    element.load()
    put({ isPlaying: false, isWaiting: false })
  }
  function close() {
    empty()
    place.close()
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
    if (!isLoaded) return
    isLoaded = false
    loading = null
    const isRepeated = failedAt !== null && Math.abs(at - failedAt) < RENEWAL_SECONDS
    failedAt = at
    // Grants last an hour. If the server refuses a request in the middle, the player requests a new grant.
    if (!isRepeated && element.error?.code !== DECODE_ERROR) void play()
    else put({ isPlaying: false, isWaiting: false, failure: element.error })
  })
  return { track, element, state, play, pause, seek, choose, empty, close }
}
