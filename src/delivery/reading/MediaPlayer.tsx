import './player.css'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { describeRefusal } from '../refusal.rules.ts'
import { AudioPlayer } from './AudioPlayer.tsx'
import { chapterAt, formatTime, readChapters } from './media.rules.ts'
import { isVideo, type Track } from './media/player.client.ts'
import { useMedia } from './media/useMedia.ts'
import { VideoPlayer } from './VideoPlayer.tsx'

export function MediaPlayer({ track, picture }: { track: Track; picture?: ReactNode }) {
  const player = useMedia(track)
  const { failure } = player
  const { title, about, file } = track
  const chapters = readChapters(file.chapters)
  const current = chapterAt(chapters, player.seconds)
  return (
    <div className="stack gap-4">
      {isVideo(track) ? (
        <VideoPlayer player={player} title={title} />
      ) : (
        <AudioPlayer player={player} title={title} note={chapters[current]?.title ?? about} picture={picture} />
      )}
      {failure !== null && (
        <p className="row small" role="alert">
          {describeRefusal(failure, 'It doesn’t play right now.')}
          <Button tone="quiet" onClick={() => void player.play()}>
            Try again
          </Button>
        </p>
      )}
      {chapters.length > 0 && (
        <ol className="card lessons" aria-label="Chapters">
          {chapters.map(({ at, title: name }, i) => (
            <li key={at}>
              <button
                type="button"
                className="lesson"
                aria-current={i === current ? 'true' : undefined}
                onClick={() => {
                  player.seek(at)
                  void player.play()
                }}
              >
                <span className="lesson__dot">{i + 1}</span>
                <span>{name}</span>
                <span className="num">{formatTime(at)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
