import type { ReactNode } from 'react'
import { Segment } from '../../ui/form/Segment.tsx'
import { formatTime, SPEEDS } from './media.rules.ts'
import { BackButton, ForwardButton, labelOf, PlaySign, pressKey, pressPlay, SeekBar } from './mediaControls.tsx'
import type { Media } from './media/useMedia.ts'

const SPEED_OPTIONS = SPEEDS.map((value) => ({ value, label: `${value}×` }))

type AudioPlayerProps = { player: Media; title: string; note: string; picture: ReactNode }

export function AudioPlayer({ player, title, note, picture }: AudioPlayerProps) {
  const { seconds, length, speed } = player
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className="card audio" aria-label={`Audio, ${title}`} onKeyDown={(event) => pressKey(player, event)}>
      {picture}
      <div className="audio__title">
        <p>
          <strong>{title}</strong>
        </p>
        <p className="muted small">{note}</p>
      </div>
      <SeekBar player={player} />
      <p className="audio__time num">
        <span>{formatTime(seconds)}</span>
        <span>{length > 0 ? `${formatTime(length - seconds)} left` : ''}</span>
      </p>
      <div className="audio__keys">
        <BackButton player={player} />
        <button type="button" className="audio__play" aria-label={labelOf(player)} onClick={() => pressPlay(player)}>
          <PlaySign player={player} />
        </button>
        <ForwardButton player={player} />
      </div>
      <div className="audio__more">
        <Segment label="Speed" options={SPEED_OPTIONS} value={speed} onChange={player.choose} />
      </div>
    </section>
  )
}
