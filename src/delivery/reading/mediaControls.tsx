import { Pause, Play, RotateCcw, RotateCw } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { formatTime, nameTime, SKIP } from './media.rules.ts'
import type { Media } from './media/useMedia.ts'

type ControlProps = { player: Media }

export const canResume = ({ isPlaying, seconds }: Media) => !isPlaying && seconds >= 1

export const labelOf = (player: Media) =>
  player.isPlaying ? 'Pause' : canResume(player) ? `Resume at ${formatTime(player.seconds)}` : 'Play'

export const pressPlay = (player: Media) => (player.isPlaying ? player.pause() : void player.play())

/** Space plays and arrow keys skip, wherever the focus is within the player. */
export function pressKey(player: Media, event: KeyboardEvent) {
  const { key, target } = event
  if ((target as Element).matches('input, button') && (key === ' ' || (target as Element).matches('input'))) return
  if (key === ' ') pressPlay(player)
  else if (key === 'ArrowLeft') player.seek(player.seconds - SKIP)
  else if (key === 'ArrowRight') player.seek(player.seconds + SKIP)
  else return
  event.preventDefault()
}

export const SeekBar = ({ player: { seconds, length, seek } }: ControlProps) => (
  <input
    className="seek"
    type="range"
    min={0}
    max={length > 0 ? length : 1}
    step="any"
    value={seconds}
    style={{ '--at': length > 0 ? Math.min(1, seconds / length) : 0 }}
    disabled={length === 0}
    aria-label="Position"
    aria-valuetext={length > 0 ? `${nameTime(seconds)} of ${nameTime(length)}` : 'Not loaded yet'}
    onChange={({ target }) => seek(Number(target.value))}
  />
)

export const BackButton = ({ player: { seconds, seek } }: ControlProps) => (
  <IconButton
    label={`Back ${SKIP} seconds`}
    icon={<RotateCcw className="icon" aria-hidden />}
    onClick={() => seek(seconds - SKIP)}
  />
)

export const ForwardButton = ({ player: { seconds, seek } }: ControlProps) => (
  <IconButton
    label={`Forward ${SKIP} seconds`}
    icon={<RotateCw className="icon" aria-hidden />}
    onClick={() => seek(seconds + SKIP)}
  />
)

export function PlaySign({ player: { isWaiting, isPlaying } }: ControlProps) {
  if (isWaiting) return <span className="spinner" aria-hidden />
  return isPlaying ? <Pause className="icon" aria-hidden /> : <Play className="icon" aria-hidden />
}
