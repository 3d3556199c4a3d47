import './player.css'
import { Maximize, Pause, Play, RotateCcw, RotateCw } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { describeRefusal } from '../refusal.rules.ts'
import { chapterAt, formatTime, readChapters, nameTime, SKIP, SPEEDS } from './media.rules.ts'
import type { ReadFile } from './reading.contract.ts'
import { useMedia } from './useMedia.ts'

type PlayerProps = { lineId: string; file: ReadFile; title: string; picture?: ReactNode; onEnd?: () => void }

const SPEED_OPTIONS = SPEEDS.map((value) => ({ value, label: `${value}×` }))

export function MediaPlayer({ lineId, file, title, picture, onEnd }: PlayerProps) {
  const player = useMedia(lineId, file, onEnd)
  const { media, handlers, seconds, length, isPlaying, isWaiting, failure, speed } = player
  const frame = useRef<HTMLDivElement>(null)
  const chapters = readChapters(file.chapters)
  const current = chapterAt(chapters, seconds)
  const isVideo = file.contentType.startsWith('video/')
  const isResuming = !isPlaying && seconds >= 1
  const press = () => (isPlaying ? player.pause() : void player.play())
  const label = isPlaying ? 'Pause' : isResuming ? `Resume at ${formatTime(seconds)}` : 'Play'
  const keys = (event: KeyboardEvent) => {
    const { key, target } = event
    if ((target as Element).matches('input, button') && (key === ' ' || (target as Element).matches('input'))) return
    if (key === ' ') press()
    else if (key === 'ArrowLeft') player.seek(seconds - SKIP)
    else if (key === 'ArrowRight') player.seek(seconds + SKIP)
    else return
    event.preventDefault()
  }
  const bar = (
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
      onChange={({ target }) => player.seek(Number(target.value))}
    />
  )
  const back = (
    <IconButton
      label={`Back ${SKIP} seconds`}
      icon={<RotateCcw className="icon" aria-hidden />}
      onClick={() => player.seek(seconds - SKIP)}
    />
  )
  const forward = (
    <IconButton
      label={`Forward ${SKIP} seconds`}
      icon={<RotateCw className="icon" aria-hidden />}
      onClick={() => player.seek(seconds + SKIP)}
    />
  )
  const sign = isWaiting ? (
    <span className="spinner" aria-hidden />
  ) : isPlaying ? (
    <Pause className="icon" aria-hidden />
  ) : (
    <Play className="icon" aria-hidden />
  )
  return (
    <div className="stack gap-4">
      {isVideo ? (
        // the keys work wherever the focus is within the player
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <div ref={frame} className="player on-hero" role="group" aria-label={`Video, ${title}`} onKeyDown={keys}>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
          <video ref={media} className="player__video" preload="none" playsInline onClick={press} {...handlers} />
          {!isPlaying && (
            <div className="player__mid">
              <button type="button" className="player__play" aria-label={label} onClick={press}>
                {sign}
              </button>
              {isResuming && <strong>{label}</strong>}
            </div>
          )}
          <div className="player__bar">
            {bar}
            {isPlaying && <IconButton label="Pause" icon={<Pause className="icon" aria-hidden />} onClick={press} />}
            {back}
            {forward}
            <span className="player__time small num">
              {formatTime(seconds)} / {formatTime(length)}
            </span>
            <span className="player__end">
              <button
                type="button"
                className="icon-btn num player__speed"
                aria-label={`Speed, ${speed} times`}
                onClick={() => player.choose(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]!)}
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
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <section className="card audio" aria-label={`Audio, ${title}`} onKeyDown={keys}>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
          <audio ref={media} preload="none" {...handlers} />
          {picture}
          <div>
            <p>
              <strong>{title}</strong>
            </p>
            <p className="muted small">{current >= 0 ? chapters[current]!.title : file.fileName}</p>
          </div>
          {bar}
          <p className="audio__time num">
            <span>{formatTime(seconds)}</span>
            <span>{length > 0 ? `${formatTime(length - seconds)} left` : ''}</span>
          </p>
          <div className="audio__keys">
            {back}
            <button type="button" className="audio__play" aria-label={label} onClick={press}>
              {sign}
            </button>
            {forward}
          </div>
          <div className="audio__more">
            <Segment label="Speed" options={SPEED_OPTIONS} value={speed} onChange={player.choose} />
          </div>
        </section>
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
