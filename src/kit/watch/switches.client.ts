import { deviceStorage } from '../storage.client.ts'
import { createWatchers, useStore } from '../store.client.ts'

export type Watch = 'security' | 'errors'

const { notify, watch: watchSwitches } = createWatchers()
const placeOf = (watch: Watch) => `${watch}-monitoring`

export const isWatchOn = (watch: Watch): boolean => deviceStorage.read(placeOf(watch)) !== 'off'
export const useIsWatchOn = (watch: Watch): boolean => useStore({ watch: watchSwitches, read: () => isWatchOn(watch) })

export function setWatch(watch: Watch, isOn: boolean) {
  deviceStorage.write(placeOf(watch), isOn ? null : 'off')
  notify()
}

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
