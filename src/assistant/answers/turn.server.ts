// Splits work of several milliseconds, so that other requests can run in between.

const waiting: (() => void)[] = []

/**
 * Waits for a turn of the event loop that runs only one piece. With `setImmediate`, the pieces of all open questions
 * would run in one turn, and a request would wait for all of them.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(run)
  })
}

function run() {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(run)
}
