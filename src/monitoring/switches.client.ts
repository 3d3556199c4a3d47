// Security monitoring and error monitoring can each be turned off, on this device.

export type Watch = 'security' | 'errors'

const watchers = new Set<() => void>()
const placeOf = (watch: Watch) => `${watch}-monitoring`

export function isWatchOn(watch: Watch): boolean {
  try {
    return localStorage.getItem(placeOf(watch)) !== 'off'
  } catch {
    return true
  }
}

export function setWatch(watch: Watch, isOn: boolean) {
  try {
    if (isOn) localStorage.removeItem(placeOf(watch))
    else localStorage.setItem(placeOf(watch), 'off')
  } catch {
    // storage is closed: it stays on
  }
  for (const tell of watchers) tell()
}

export function watchSwitches(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** Starts something while its switch is on, and stops it when it is turned off. Answers how to end both. */
export function whileOn(watch: Watch, start: () => () => void): () => void {
  let stop: (() => void) | undefined
  const turn = () => {
    const isOn = isWatchOn(watch)
    if (isOn) stop ??= start()
    else stop = void stop?.()
  }
  turn()
  const forget = watchSwitches(turn)
  return () => {
    forget()
    stop?.()
  }
}
