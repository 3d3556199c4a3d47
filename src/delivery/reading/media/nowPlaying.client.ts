import { createStore } from '../../../kit/store.client.ts'
import { showOnLockScreen } from './lockScreen.client.ts'
import { isVideo, openPlayer, type Player, type Track } from './player.client.ts'

/** The sound that plays on while its listener looks at other pages. */
export const nowPlaying = createStore<Player | null>(null)

/** The player whose page is open. */
export const shownPlayer = createStore<Player | null>(null)

let clearLockScreen: () => void = () => undefined

/** Returns the player that plays this track already, or a new one. */
export function takePlayer(track: Track): Player {
  const current = nowPlaying.read()
  const isSame = current?.track.lineId === track.lineId && current.track.file.id === track.file.id
  if (current && isSame) return current
  const player: Player = openPlayer(track, () => claim(player))
  return player
}

/** Only one track plays. A film stops with its page, so it is not the one that plays on. */
function claim(player: Player) {
  const former = nowPlaying.read()
  if (former === player) return
  if (former) stopPlaying()
  if (isVideo(player.track)) return
  nowPlaying.set(player)
  document.addEventListener('play', pauseOthers, { capture: true })
  clearLockScreen = showOnLockScreen(player, stopPlaying)
}

/** Samples and films have separate elements. An element that starts with sound pauses all others. */
function pauseOthers({ target }: Event) {
  if ((target as HTMLMediaElement).muted) return
  for (const media of document.querySelectorAll<HTMLMediaElement>('audio, video')) if (media !== target) media.pause()
}

/** Ends the sound that plays. Its page, if it is open, can start it again. */
export function stopPlaying() {
  clearLockScreen()
  document.removeEventListener('play', pauseOthers, { capture: true })
  const player = nowPlaying.read()
  nowPlaying.set(null)
  if (player === shownPlayer.read()) player?.empty()
  else player?.close()
}

/** Shows a player on its page. When the page is left, a sound that plays goes on. */
export function showPlayer(player: Player): () => void {
  // React adds the film to the page
  if (!isVideo(player.track) && !player.element.isConnected) document.body.append(player.element)
  shownPlayer.set(player)
  return () => {
    if (shownPlayer.read() === player) shownPlayer.set(null)
    const { isPlaying, isWaiting } = player.state.read()
    if (nowPlaying.read() !== player) player.close()
    else if (!isPlaying && !isWaiting) stopPlaying()
  }
}
