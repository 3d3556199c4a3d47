import { Maximize, Pause } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { formatTime, SPEEDS } from './media.rules.ts'
import {
  BackButton,
  canResume,
  ForwardButton,
  labelOf,
  PlaySign,
  pressKey,
  pressPlay,
  SeekBar,
} from './mediaControls.tsx'
import type { Media } from './media/useMedia.ts'

export function VideoPlayer({ player, title }: { player: Media; title: string }) {
  const { element, seconds, length, isPlaying, speed } = player
  const frame = useRef<HTMLDivElement>(null)
  const label = labelOf(player)
  const press = () => pressPlay(player)
  const pressFilm = useEffectEvent(press)
  useLayoutEffect(() => {
    frame.current?.prepend(element)
  }, [element])
  useEffect(() => {
    const listener = () => pressFilm()
    element.addEventListener('click', listener)
    return () => element.removeEventListener('click', listener)
  }, [element])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={frame}
      className="player on-hero"
      role="group"
      aria-label={`Video, ${title}`}
      onKeyDown={(event) => pressKey(player, event)}
    >
      {!isPlaying && (
        <div className="player__mid">
          <button type="button" className="player__play" aria-label={label} onClick={press}>
            <PlaySign player={player} />
          </button>
          {canResume(player) && <strong>{label}</strong>}
        </div>
      )}
      <div className="player__bar">
        <SeekBar player={player} />
        {isPlaying && <IconButton label="Pause" icon={<Pause className="icon" aria-hidden />} onClick={press} />}
        <BackButton player={player} />
        <ForwardButton player={player} />
        <span className="player__time small num">
          {formatTime(seconds)} / {formatTime(length)}
        </span>
        <span className="player__end">
          <button
            type="button"
            className="icon-btn num player__speed"
            aria-label={`Speed, ${speed} times`}
            onClick={() => player.choose(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1)}
          >
            {speed}×
          </button>
          <IconButton
            label="Full screen"
            icon={<Maximize className="icon" aria-hidden />}
            onClick={() =>
              void (document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen?.())
            }
          />
        </span>
      </div>
    </div>
  )
}
