import { chapterAt, readChapters, SKIP } from '../media.rules.ts'
import type { Player } from './player.client.ts'

const STATES = ['playing', 'pause', 'seeked', 'ratechange', 'durationchange'] as const

/** Shows a player on the lock screen, in the media controls of the system and to the keys of headphones. */
export function showOnLockScreen(player: Player, stop: () => void): () => void {
  if (!('mediaSession' in navigator)) return () => undefined
  const session = navigator.mediaSession
  const { track, element, state, play, pause, seek } = player
  const chapters = readChapters(track.file.chapters)
  const chapterNow = () => chapterAt(chapters, state.read().seconds)
  let named: number | null = null

  function showName() {
    const chapter = chapterNow()
    if (chapter === named) return
    named = chapter
    const image = track.product.imageUrl
    session.metadata = new MediaMetadata({
      title: chapters[chapter]?.title ?? track.title,
      artist: track.about,
      album: track.title,
      artwork: [image ? { src: image } : { src: '/icons/512.png', sizes: '512x512', type: 'image/png' }],
    })
  }
  function showPosition() {
    session.playbackState = element.paused ? 'paused' : 'playing'
    const { seconds, length, speed } = state.read()
    if (length > 0)
      session.setPositionState({ duration: length, position: Math.min(seconds, length), playbackRate: speed })
  }
  const goTo = (chapter: number) => {
    const found = chapters[chapter]
    if (found) seek(found.at)
  }
  const skip = (seconds: number) => seek(state.read().seconds + seconds)
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => void play()],
    ['pause', pause],
    ['stop', stop],
    ['seekbackward', ({ seekOffset }) => skip(-(seekOffset ?? SKIP))],
    ['seekforward', ({ seekOffset }) => skip(seekOffset ?? SKIP)],
    ['seekto', ({ seekTime }) => seek(seekTime ?? 0)],
  ]
  if (chapters.length > 0)
    handlers.push(
      ['previoustrack', () => goTo(Math.max(0, chapterNow() - 1))],
      ['nexttrack', () => goTo(chapterNow() + 1)],
    )
  for (const [action, handler] of handlers) setHandler(action, handler)
  showName()
  const unwatch = state.watch(showName)
  for (const type of STATES) element.addEventListener(type, showPosition)
  return () => {
    unwatch()
    for (const type of STATES) element.removeEventListener(type, showPosition)
    for (const [action] of handlers) setHandler(action, null)
    session.metadata = null
    session.playbackState = 'none'
  }
}

/** A browser throws an error for an action that it does not know. */
function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null) {
  try {
    navigator.mediaSession.setActionHandler(action, handler)
  } catch {
    // the browser does not support this control; the others work
  }
}
