import { useEffect, useState } from 'react'
import { useStore } from '../../../kit/store.client.ts'
import { showPlayer, takePlayer } from './nowPlaying.client.ts'
import { isVideo, type Player, type PlayerState, type Track } from './player.client.ts'

export type Media = PlayerState & Player

/** The player of a track on its page. A sound that is playing goes on when the page is left. */
export function useMedia(track: Track): Media {
  const [player] = useState(() => takePlayer(track))
  const state = useStore(player.state)
  useEffect(() => showPlayer(player), [player])
  // a listener may leave the page before the sound begins
  const isStarted = (state.isWaiting || state.isPlaying) && !isVideo(player.track)
  useEffect(() => {
    if (isStarted)
      import('./PlayerBar.tsx').then(
        ({ showPlayerBar }) => showPlayerBar(),
        () => undefined,
      )
  }, [isStarted])
  return { ...player, ...state }
}
