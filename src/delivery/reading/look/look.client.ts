import { deviceStorage } from '../../../kit/storage.client.ts'
import { createStore } from '../../../kit/store.client.ts'
import { type Look, readLook } from './look.rules.ts'

const KEY = 'reader-look'

export const readerLook = createStore(readLook(deviceStorage.readJson(KEY)))

export function changeLook(change: Partial<Look>) {
  const look = { ...readerLook.read(), ...change }
  readerLook.set(look)
  deviceStorage.writeJson(KEY, look)
}
