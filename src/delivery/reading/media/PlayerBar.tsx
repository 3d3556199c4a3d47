import './playerBar.css'
import { Pause, Play, X } from 'lucide-react'
import { createRoot, type Root } from 'react-dom/client'
import { ProductImage } from '../../../catalogue/covers/ProductImage.tsx'
import { useStore } from '../../../kit/store.client.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Link } from '../../../ui/Link.tsx'
import { awaitHeading } from '../../../ui/PageHead.tsx'
import { chapterAt, formatTime, readChapters } from '../media.rules.ts'
import { nowPlaying, shownPlayer, stopPlaying } from './nowPlaying.client.ts'
import type { Player } from './player.client.ts'

// A bar on every page for the current sound. It has a separate React root, so that the pages load nothing for it.

let root: Root | undefined

export function showPlayerBar() {
  if (root) return
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<PlayerBar />)
}

function PlayerBar() {
  const player = useStore(nowPlaying)
  const shown = useStore(shownPlayer)
  return player && player !== shown ? <Bar player={player} /> : null
}

function stop() {
  stopPlaying()
  // the focused button is gone
  document.querySelector('main')?.focus({ preventScroll: true })
}

function Bar({ player }: { player: Player }) {
  const { track, play, pause } = player
  const { seconds, length, isPlaying, isWaiting, failure } = useStore(player.state)
  const chapters = readChapters(track.file.chapters)
  const chapter = chapters[chapterAt(chapters, seconds)]?.title
  return (
    <section className="miniplay" aria-label="Player">
      <ProductImage product={track.product} sizes="54px" />
      <Link className="miniplay__text" href={track.href} onClick={awaitHeading}>
        <strong className="clamp-1">{track.title}</strong>
        <small className="clamp-1 num" role={failure ? 'alert' : undefined}>
          {failure ? 'It doesn’t play right now.' : `${chapter ?? track.about} · ${formatTime(seconds)}`}
        </small>
      </Link>
      <IconButton
        label={isPlaying ? 'Pause' : 'Play'}
        icon={
          isWaiting ? (
            <span className="spinner" aria-hidden />
          ) : isPlaying ? (
            <Pause className="icon" aria-hidden />
          ) : (
            <Play className="icon" aria-hidden />
          )
        }
        onClick={() => (isPlaying ? pause() : void play())}
      />
      <IconButton label="Stop and close" icon={<X className="icon" aria-hidden />} onClick={stop} />
      <span className="miniplay__share" style={{ '--share': length > 0 ? Math.min(1, seconds / length) : 0 }} />
    </section>
  )
}
