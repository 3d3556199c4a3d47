import { useEffect, useState } from 'react'

const POLL_MS = 1_000

type PartialAnswer = { questionId: string; text: string; doing: string }
const NOTHING: PartialAnswer = { questionId: '', text: '', doing: '' }

/** Streams an answer. Calls `onEnd` when it is stored; if the stream fails, polls every second. */
export function useAnswer(questionId: string | null, onEnd: () => void): { text: string; doing: string } {
  const [said, setSaid] = useState(NOTHING)
  useEffect(() => {
    if (!questionId) return
    let poll: ReturnType<typeof setInterval> | undefined
    const stream = new EventSource(`/api/chat/answers/${questionId}`)
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as Partial<PartialAnswer> & { isDone?: true }
      setSaid((before) => ({ ...(before.questionId === questionId ? before : NOTHING), ...event, questionId }))
      if (!event.isDone) return
      stream.close()
      onEnd()
    }
    // A proxy may buffer the stream, or the server may be busy.
    stream.onerror = () => {
      stream.close()
      poll ??= setInterval(onEnd, POLL_MS)
    }
    return () => {
      stream.close()
      clearInterval(poll)
    }
  }, [questionId]) // eslint-disable-line react/exhaustive-deps -- onEnd only refetches
  return said.questionId === questionId ? said : NOTHING
}
