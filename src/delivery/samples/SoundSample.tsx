import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Preview } from '../../catalogue/previews/previews.contract.ts'
import { actionOf, extentOf } from '../../catalogue/previews/sample.rules.ts'
import { toast } from '../../ui/toasts/toast.client.ts'

/** Plays a sample in its row. The sound loads at the first press. */
export function SoundSample({ sample }: { sample: Preview }) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [isLoading, setLoading] = useState(false)
  const [share, setShare] = useState(0)
  useEffect(() => {
    const element = audio.current
    // pauses this sample when another sound or a film starts
    const pauseForOther = ({ target }: Event) => target !== element && element?.pause()
    document.addEventListener('play', pauseForOther, true)
    return () => {
      document.removeEventListener('play', pauseForOther, true)
      element?.pause()
    }
  }, [])
  const press = () => {
    const element = audio.current
    if (!element) return
    if (isPlaying) return element.pause()
    setLoading(true)
    // browsers abort playback when the page is left meanwhile
    element.play().catch((error: unknown) => {
      setLoading(false)
      if (error instanceof DOMException && error.name === 'AbortError') return
      setPlaying(false)
      toast({ title: 'Error', description: 'We couldn’t play the sample. Please try again.', tone: 'bad' })
    })
  }
  const Icon = isPlaying ? Pause : Play
  return (
    <>
      <button type="button" className="list__row" aria-busy={isLoading} onClick={press}>
        <span className="icon-btn icon-btn--add" aria-hidden>
          <Icon className="icon" />
        </span>
        <span className="grow">
          <strong>{isPlaying ? 'Pause the sample' : actionOf(sample)}</strong>
          <small>{isLoading ? 'Loading…' : extentOf(sample)}</small>
        </span>
        <span aria-hidden style={{ width: '4rem', height: '4px', borderRadius: '2px', background: progress(share) }} />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio
        ref={audio}
        src={sample.url}
        preload="none"
        onWaiting={() => setLoading(true)}
        onPlaying={() => {
          setLoading(false)
          setPlaying(true)
        }}
        onPause={() => setPlaying(false)}
        onEnded={() => setShare(0)}
        onTimeUpdate={({ currentTarget: { currentTime, duration } }) =>
          setShare(Number.isFinite(duration) && duration > 0 ? currentTime / duration : 0)
        }
      />
    </>
  )
}

const progress = (share: number) =>
  `linear-gradient(to right, var(--primary) ${share * 100}%, var(--line) ${share * 100}%)`
