type CleanUp = () => Promise<void>

const pending = new Set<CleanUp>()

/** Runs `cleanUp` after the work, whether it succeeds, fails or is stopped by a signal. */
export async function withCleanUp<T>(cleanUp: CleanUp, work: () => Promise<T>): Promise<T> {
  pending.add(cleanUp)
  try {
    return await work()
  } finally {
    if (pending.delete(cleanUp)) await cleanUp()
  }
}

/** Runs all pending clean-ups, the last one added first. */
export async function cleanUpAll() {
  for (const cleanUp of [...pending].toReversed()) if (pending.delete(cleanUp)) await cleanUp()
}
