// Work that takes milliseconds goes in pieces, so that requests get their turn in between.

const waiting: (() => void)[] = []

/**
 * Waits for a turn of the event loop that runs one piece alone. With `setImmediate` the pieces of all questions that are
 * answered at once would run in the same turn, and a request would wait for all of them.
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
