/** Where no frame is drawn (a page behind another), nobody waits for one. In milliseconds. */
const PATIENCE = 100

/**
 * Ends when the browser has drawn what was just changed. Work that a press starts waits for it, so that the answer of
 * the button is seen first.
 */
export const painted = () =>
  new Promise<void>((done) => {
    setTimeout(done, PATIENCE)
    requestAnimationFrame(() => setTimeout(done))
  })
