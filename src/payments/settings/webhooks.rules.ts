/** What came of an event, as the end of a sentence. */
export function outcomeOf({ processedAt, problem }: { processedAt: string | null; problem: string | null }): string {
  if (!processedAt) return 'waits for its turn'
  return problem ? `nothing to do: ${problem}` : 'worked off'
}

/** What a test event showed; `answer` is the status the webhook gave, or why it gave none. */
export function resultOf({ answer, isStored }: { answer: string | null; isStored: boolean }): string {
  if (answer === null) return 'The event was sent, but there’s no response yet.'
  if (answer !== '200') return `The webhook rejected the event: ${answer}.`
  return isStored ? 'Sent, verified, and saved. See the result below.' : 'Taken, but not found in the log.'
}
