import { expect, stopClock } from '../shop.ts'
import { alertsOf, type Bench, closeMessages, empty, listFor, type Live } from './page.ts'

// Reads the timing and the status bar of the uploader.

/** Returns how long a notice stays. Errors stay until the seller closes them. */
export async function noticeStays(bench: Bench) {
  await bench.page.clock.fastForward(10_000)
  await closeMessages(bench.page)
  await empty(bench)
  return listFor(bench, 10_000, (uppy) => {
    const [times, start] = [[] as number[], Date.now()]
    uppy.once('info-hidden', () => times.push(Date.now() - start))
    uppy.info('A notice', 'info', 5000)
    return times
  })
}

/** Returns how long a message takes to disappear after its end. */
export async function leavingTime(bench: Bench) {
  await empty(bench)
  await bench.live.evaluate((uppy) => uppy.info('A message'))
  await expect(alertsOf(bench.page)).toHaveText(/A message/)
  return listFor(bench, 5000, (uppy) => {
    const times: number[] = []
    let hiddenAt = 0
    uppy.once('info-hidden', () => (hiddenAt = Date.now()))
    const bar = document.querySelector('.uppy-Informer')!
    const watch = new MutationObserver(() => {
      if (bar.querySelector('[role=alert]')) return
      times.push(Date.now() - hiddenAt)
      watch.disconnect()
    })
    watch.observe(bar, { childList: true, subtree: true })
    return times
  })
}

/** Returns when a new uploader checks the connection after its start. */
export const connectionCheck = (bench: Bench) =>
  listFor(bench, 5000, (uppy) => {
    const [times, start] = [[] as number[], Date.now()]
    const Kind = uppy.constructor as new (options: object) => Live & { destroy: () => void }
    const other = new Kind({ id: 'other' })
    other.once('is-online', () => {
      times.push(Date.now() - start)
      other.destroy()
    })
    return times
  })

/** Returns when an upload starts after a file was added, if uploads start automatically. */
export const ownStart = (bench: Bench) =>
  empty(bench).then(() =>
    listFor(bench, 100, (uppy) => {
      const [times, start] = [[] as number[], Date.now()]
      const { onBeforeUpload } = uppy.opts
      const stop = () => {
        times.push(Date.now() - start)
        uppy.setOptions({ autoProceed: false, onBeforeUpload })
        return false
      }
      uppy.setOptions({ autoProceed: true, onBeforeUpload: stop })
      uppy.addFile({ name: 'row.txt', data: new File(['twelve bytes'], 'row.txt') })
      return times
    }),
  )

/** Returns when the total progress is reported while a file reports its own every 100 ms. */
export const progressTimes = (bench: Bench) =>
  empty(bench).then(() =>
    listFor(bench, 1400, (uppy) => {
      const [times, start] = [[] as number[], Date.now()]
      const file = uppy.getFile(uppy.addFile({ name: 'row.txt', data: new File(['twelve bytes'], 'row.txt') }))
      uppy.emit('upload-start', [file])
      const note = () => times.push(Date.now() - start)
      uppy.on('progress', note)
      let bytesUploaded = 0
      const tell = () => {
        uppy.emit('upload-progress', file, { uploadStarted: start, bytesUploaded, bytesTotal: 12 })
        if (++bytesUploaded < 11) setTimeout(tell, 100)
      }
      tell()
      return times
    }),
  )

/** Returns the remaining times as shown; each step is a pause and the bytes sent after it. */
export const restOf =
  (bytesTotal: number, steps: [pauseMs: number, bytesUploaded: number][]) => async (bench: Bench) => {
    const { page, live } = bench
    await empty(bench)
    await stopClock(page)
    await live.evaluate((uppy, size) => {
      const data = { size, type: '', slice: () => new Blob() }
      const file = uppy.getFile(uppy.addFile({ name: 'film.bin', type: '', data }))
      uppy.emit('upload', 'an upload', [file])
      uppy.emit('upload-start', [file])
    }, bytesTotal)
    const shown: string[] = []
    for (const [pauseMs, bytesUploaded] of steps) {
      await page.clock.runFor(pauseMs)
      await live.evaluate(
        (uppy, sent) => uppy.emit('upload-progress', uppy.getFiles()[0], { uploadStarted: 1, ...sent }),
        { bytesTotal, bytesUploaded },
      )
      const rest = page.locator('.uppy-StatusBar-additionalInfo')
      await expect(rest).toContainText('left')
      shown.push(/(\S+( \S+)?) left/.exec(await rest.innerText())![1]!.replace('· ', ''))
    }
    await page.clock.resume()
    return shown
  }

const PROGRESS = {
  new: { uploadStarted: null, uploadComplete: false },
  started: { uploadStarted: 1, uploadComplete: false },
  complete: { uploadStarted: 1, uploadComplete: true, percentage: 100 },
  preprocessed: { uploadStarted: null, uploadComplete: false, preprocess: { mode: 'indeterminate' } },
  postprocessed: { uploadStarted: 1, uploadComplete: true, postprocess: { mode: 'indeterminate' } },
}

/** Returns the state of the status bar for two files in these states. */
export const barOf =
  (files: [keyof typeof PROGRESS, keyof typeof PROGRESS], state: object = {}) =>
  async (bench: Bench) => {
    await empty(bench)
    await bench.live.evaluate(
      (uppy, [progress, rest]) => {
        for (const [i, own] of progress.entries())
          uppy.setFileState(uppy.addFile({ name: `${i}.txt`, type: '', data: new File(['a'], `${i}`) }), {
            progress: own,
          })
        uppy.setState(rest)
      },
      [files.map((name) => PROGRESS[name]), state] as const,
    )
    const shown = async () => /is-(\w+)/.exec((await bench.page.locator('.uppy-StatusBar').getAttribute('class'))!)![1]!
    await expect.poll(shown).not.toBe('')
    // the bar renders after the state changes
    await bench.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    const name = await shown()
    await bench.live.evaluate((uppy) => uppy.setState({ error: null, recoveredState: null, totalProgress: 0 }))
    return name
  }

/** Returns the fields of the specification that the file, its progress or the state of the uploader lacks. */
export const fieldsOf = (file: string[], progress: string[], state: string[]) => async (bench: Bench) => {
  await empty(bench)
  return bench.live.evaluate(
    (uppy, names) => {
      const data = new File(['twelve bytes'], 'row.txt')
      const added = uppy.getFile(uppy.addFile({ name: 'row.txt', type: 'text/plain', data }))
      const objects = [added, added.progress, uppy.getState()]
      return names.map((own, i) => own.filter((name) => !(name in objects[i]!)))
    },
    [file, progress, state],
  )
}

/** Returns if the upload can start, before and after its file became a ghost. */
export async function startWithGhost(bench: Bench) {
  await empty(bench)
  const button = bench.page.getByRole('button', { name: 'Upload 1 file' })
  const id = await bench.live.evaluate((uppy) =>
    uppy.addFile({ name: 'row.txt', type: 'text/plain', data: new File(['twelve bytes'], 'row.txt') }),
  )
  const before = await button.isEnabled()
  await bench.live.evaluate((uppy, file) => uppy.setFileState(file, { isGhost: true }), id)
  await expect(bench.page.getByRole('button', { name: 'Re-select' })).toBeVisible()
  return [before, await button.isEnabled()]
}
