import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { deviceStorage } from '../../kit/storage.client.ts'
import type { ReadFile } from './reading.contract.ts'
import { SPEEDS } from './media.rules.ts'
import { findAddress } from './source.client.ts'
import { useKeptPlace } from './useKeptPlace.ts'

const SPEED_KEY = 'player-speed'
const readSpeed = () => SPEEDS.find((speed) => String(speed) === deviceStorage.read(SPEED_KEY)) ?? 1

/** Playback that stops so many seconds before the end counts as finished. */
const END_SECONDS = 2

type MediaEvent = SyntheticEvent<HTMLMediaElement>
type State = { seconds: number; length: number; isPlaying: boolean; isWaiting: boolean; failure: unknown }

export type Media = ReturnType<typeof useMedia>

export function useMedia(lineId: string, file: ReadFile, onEnd?: () => void) {
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const kept = useKeptPlace(lineId, file.id)
  const stopped = file.share > 0.995 ? 0 : Number(file.place ?? 0) || 0
  const [state, setState] = useState<State>({
    ...{ seconds: stopped, length: file.share > 0 && stopped > 0 ? stopped / file.share : 0 },
    ...{ isPlaying: false, isWaiting: false, failure: null },
  })
  const [speed, setSpeed] = useState(readSpeed)
  const put = (change: Partial<State>) => setState((before) => ({ ...before, ...change }))
  const at = useRef(stopped)
  /** Grants last an hour. If the server refuses a request in the middle, one new grant is requested. */
  const renewals = useRef(0)
  const loading = useRef<Promise<void>>(null)

  const load = (): Promise<void> =>
    (loading.current ??= (async () => {
      const element = media.current
      if (!element) throw new Error('the player is not on the page')
      const url = await findAddress(lineId, file.id, file.contentType)
      await new Promise<void>((resolve, reject) => {
        element.addEventListener('loadedmetadata', () => resolve(), { once: true })
        element.addEventListener('error', () => reject(element.error), { once: true })
        element.src = url
        element.load()
      })
      element.currentTime = at.current
      element.playbackRate = speed
      renewals.current = 0
    })().catch((error: unknown) => {
      loading.current = null
      throw error
    }))

  async function play() {
    put({ isWaiting: true, failure: null })
    try {
      await load()
      await media.current?.play()
    } catch (failure) {
      // browsers abort playback when the page is left meanwhile
      if (failure instanceof DOMException && failure.name === 'AbortError') put({ isWaiting: false })
      else put({ isWaiting: false, isPlaying: false, failure })
    }
  }
  const pause = () => media.current?.pause()
  function seek(seconds: number) {
    const next = Math.max(0, state.length > 0 ? Math.min(seconds, state.length - 0.1) : seconds)
    at.current = next
    put({ seconds: next })
    if (media.current?.readyState) media.current.currentTime = next
    note(next)
  }
  function note(seconds: number) {
    const length = media.current?.duration || state.length
    if (!Number.isFinite(length) || length <= 0) return
    kept.current?.note(seconds.toFixed(1), seconds > length - END_SECONDS ? 1 : seconds / length)
  }
  function choose(next: number) {
    setSpeed(next)
    deviceStorage.write(SPEED_KEY, String(next))
    if (media.current) media.current.playbackRate = next
  }
  useEffect(() => {
    const element = media.current
    return () => {
      element?.pause()
      if (element?.src.startsWith('blob:')) URL.revokeObjectURL(element.src)
      element?.removeAttribute('src')
      element?.load()
    }
  }, [])

  const handlers = {
    onTimeUpdate: ({ currentTarget: { currentTime, readyState } }: MediaEvent) => {
      // a file reports 0 while it loads
      if (readyState === 0 || (currentTime === 0 && at.current > 0)) return
      at.current = currentTime
      put({ seconds: currentTime })
      note(currentTime)
    },
    onDurationChange: ({ currentTarget: { duration } }: MediaEvent) =>
      Number.isFinite(duration) && put({ length: duration }),
    onPlaying: () => put({ isPlaying: true, isWaiting: false }),
    onWaiting: () => put({ isWaiting: true }),
    onPause: () => {
      put({ isPlaying: false, isWaiting: false })
      kept.current?.send()
    },
    onEnded: () => onEnd?.(),
    onError: ({ currentTarget }: MediaEvent) => {
      if (!currentTarget.hasAttribute('src') || !loading.current) return
      loading.current = null
      if (renewals.current++ === 0) void play()
      else put({ isPlaying: false, isWaiting: false, failure: currentTarget.error })
    },
  }
  return { ...state, media, handlers, play, pause, seek, speed, choose }
}
