/** Used in a hidden page, which draws no frames. */
const TIMEOUT_MS = 100

/** Resolves after the next frame. The work of a press waits for it, so that the pressed button is drawn first. */
export const painted = () =>
  new Promise<void>((done) => {
    setTimeout(done, TIMEOUT_MS)
    requestAnimationFrame(() => setTimeout(done))
  })
