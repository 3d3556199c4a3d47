/** A hidden page draws no frame. */
const TIMEOUT_MS = 100

/** Resolves after the next frame. Work that a press starts waits for it, so that the button's response shows first. */
export const painted = () =>
  new Promise<void>((done) => {
    setTimeout(done, TIMEOUT_MS)
    requestAnimationFrame(() => setTimeout(done))
  })
