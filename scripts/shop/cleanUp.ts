// What must be put right again however a command ends: by its result, by an error, or by Ctrl-C.

type CleanUp = () => Promise<void>

const open = new Set<CleanUp>()

/** Runs `cleanUp` after the work, or when the command is told to stop. */
export async function withCleanUp<T>(cleanUp: CleanUp, work: () => Promise<T>): Promise<T> {
  open.add(cleanUp)
  try {
    return await work()
  } finally {
    if (open.delete(cleanUp)) await cleanUp()
  }
}

/** Cleans up after everything that is under way, the last begun first. */
export async function cleanUpAll() {
  for (const cleanUp of [...open].toReversed()) if (open.delete(cleanUp)) await cleanUp()
}
